// Symmetric 3 x 3 matrices.

struct Symmetric {
    diagonal: vec3f,    // xx, yy, zz
    off: vec3f,         // yz, xz, xy
}

const NOTHING = Symmetric(vec3f(0.0), vec3f(0.0));

// n n^T scaled by a, plus b (I - n n^T), for a unit vector n.
fn along_and_across(n: vec3f, a: f32, b: f32) -> Symmetric {
    let d = a - b;
    return Symmetric(d * n * n + vec3f(b), d * n.yzx * n.zxy);
}

fn sum(a: Symmetric, b: Symmetric) -> Symmetric {
    return Symmetric(a.diagonal + b.diagonal, a.off + b.off);
}

fn scaled(a: f32, m: Symmetric) -> Symmetric {
    return Symmetric(a * m.diagonal, a * m.off);
}

fn multiply(m: Symmetric, v: vec3f) -> vec3f {
    return m.diagonal * v + m.off.zxy * v.yzx + m.off.yzx * v.zxy;
}

// m^-1 v for a positive definite m, by cofactors.
fn solve(m: Symmetric, v: vec3f) -> vec3f {
    let cofactor = Symmetric(
        m.diagonal.yzx * m.diagonal.zxy - m.off * m.off,
        m.off.yzx * m.off.zxy - m.diagonal * m.off,
    );
    let determinant = m.diagonal.x * cofactor.diagonal.x + m.off.z * cofactor.off.z + m.off.y * cofactor.off.y;
    return multiply(cofactor, v) / determinant;
}

// m^-1 v for an m that is at least the identity, by L D L^T: as accurate as m is known, even where it is much stiffer in one
// direction than in another. Such a matrix has no pivot below one, so pivots are bounded against rounding.
fn solve_above_one(m: Symmetric, v: vec3f) -> vec3f {
    let d_x = max(m.diagonal.x, 1.0);
    let l_yx = m.off.z / d_x;
    let l_zx = m.off.y / d_x;
    let d_y = max(m.diagonal.y - l_yx * m.off.z, 1.0);
    let rest = m.off.x - l_zx * m.off.z;
    let l_zy = rest / d_y;
    let d_z = max(m.diagonal.z - l_zx * m.off.y - l_zy * rest, 1.0);
    let y = v.y - l_yx * v.x;
    let z = (v.z - l_zx * v.x - l_zy * y) / d_z;
    let b = y / d_y - l_zy * z;
    return vec3f(v.x / d_x - l_yx * b - l_zx * z, b, z);
}

// A matrix in two entries of a buffer: (xx, yy, zz, yz) and (xz, xy, -, -).
fn first_half(m: Symmetric) -> vec4f {
    return vec4f(m.diagonal, m.off.x);
}

fn second_half(m: Symmetric) -> vec4f {
    return vec4f(m.off.yz, 0.0, 0.0);
}

fn from_halves(a: vec4f, b: vec4f) -> Symmetric {
    return Symmetric(a.xyz, vec3f(a.w, b.x, b.y));
}
