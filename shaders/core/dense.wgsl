// A small symmetric matrix of 3 x 3 blocks in the memory of a workgroup, and its inverse: the symmetric sweep of
// Gauss and Jordan, block by block (J. Goodnight, "A Tutorial on the SWEEP Operator", The American Statistician
// 33(3), 1979, doi:10.1080/00031305.1979.10482685).
//!import core/symmetric.wgsl

// Threads: so many on a graphics card. A software driver takes all threads of a workgroup through each barrier, one vector of
// them after another, whether they have anything to do or not: one vector is fastest there.
const WIDE_SIZE: u32 = 256u;
const NARROW_SIZE: u32 = 8u;
override DENSE_SIZE: u32 = NARROW_SIZE;
// Blocks of the lower triangle; the importing file says how many rows of blocks there are at most.
const DENSE_BLOCKS: u32 = MOST_DENSE * (MOST_DENSE + 1u) / 2u;

// Columns of each block, block (i, j) with i >= j at i (i + 1) / 2 + j.
var<workgroup> dense: array<f32, 9 * DENSE_BLOCKS>;

fn full(m: Symmetric) -> mat3x3f {
    return mat3x3f(
        m.diagonal.x, m.off.z, m.off.y,
        m.off.z, m.diagonal.y, m.off.x,
        m.off.y, m.off.x, m.diagonal.z,
    );
}

fn clear_dense(local: u32) {
    for (var k = local; k < 9u * DENSE_BLOCKS; k += DENSE_SIZE) {
        dense[k] = 0.0;
    }
}

fn set_dense(i: u32, j: u32, m: mat3x3f) {
    let first = 9u * (i * (i + 1u) / 2u + j);
    for (var c = 0u; c < 3u; c += 1u) {
        dense[first + 3u * c] = m[c].x;
        dense[first + 3u * c + 1u] = m[c].y;
        dense[first + 3u * c + 2u] = m[c].z;
    }
}

// Block (i, j) of the whole matrix.
fn get_dense(i: u32, j: u32) -> mat3x3f {
    let high = max(i, j);
    let f = 9u * (high * (high + 1u) / 2u + min(i, j));
    let m = mat3x3f(
        dense[f], dense[f + 1u], dense[f + 2u],
        dense[f + 3u], dense[f + 4u], dense[f + 5u],
        dense[f + 6u], dense[f + 7u], dense[f + 8u],
    );
    if (i < j) {
        return transpose(m);
    }
    return m;
}

// Block (i, j) of the inverse, once `invert` has run.
fn inverse_block(i: u32, j: u32) -> mat3x3f {
    return -1.0 * get_dense(i, j);
}

// The inverse of a pivot block; zero where it is not positive, so that nodes without stiffness do not move.
fn pivot_inverse(m: mat3x3f) -> mat3x3f {
    let a = cross(m[1], m[2]);
    let b = cross(m[2], m[0]);
    let c = cross(m[0], m[1]);
    let determinant = dot(m[0], a);
    if (determinant <= 0.0 || m[0].x <= 0.0 || m[1].y <= 0.0 || m[2].z <= 0.0) {
        return mat3x3f();
    }
    return transpose(mat3x3f(a, b, c)) * (1.0 / determinant);
}

// Replaces the matrix of `count` rows by minus its inverse. Called by all threads of the workgroup.
fn invert(count: u32, local: u32) {
    for (var p = 0u; p < count; p += 1u) {
        let inverse = pivot_inverse(get_dense(p, p));
        for (var k = local; k < count * (count + 1u) / 2u; k += DENSE_SIZE) {
            // Row and column of the k-th block of the triangle.
            var i = u32((sqrt(8.0 * f32(k) + 1.0) - 1.0) * 0.5);
            i = select(i, i - 1u, i * (i + 1u) / 2u > k);
            i = select(i, i + 1u, (i + 1u) * (i + 2u) / 2u <= k);
            let j = k - i * (i + 1u) / 2u;
            if (i != p && j != p) {
                set_dense(i, j, get_dense(i, j) - get_dense(i, p) * inverse * get_dense(p, j));
            }
        }
        workgroupBarrier();
        for (var i = local; i < count; i += DENSE_SIZE) {
            let swept = get_dense(i, p) * inverse;
            var block = -1.0 * inverse;
            if (i > p) {
                block = swept;
            } else if (i < p) {
                block = transpose(swept);
            }
            set_dense(max(i, p), min(i, p), block);
        }
        workgroupBarrier();
    }
}
