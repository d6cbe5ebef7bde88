// Symmetric 3 x 3 matrices.

struct Symmetric {
    diagonal: vec3f,    // xx, yy, zz
    off: vec3f,         // yz, xz, xy
}

// n n^T scaled by a, plus b (I - n n^T), for a unit vector n.
fn along_and_across(n: vec3f, a: f32, b: f32) -> Symmetric {
    let d = a - b;
    return Symmetric(d * n * n + vec3f(b), d * n.yzx * n.zxy);
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
