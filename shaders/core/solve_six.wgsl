// Six linear equations with a symmetric matrix that has no negative eigenvalue, by L D L^T. Pure.

// A pivot below this part of its diagonal element is rounding: the unknown stays 0.
const LEAST_PIVOT: f32 = 1e-5;

fn solve_six(matrix: array<array<f32, 6>, 6>, right: array<f32, 6>) -> array<f32, 6> {
    var l = matrix;
    var q = right;
    var pivots = array<f32, 6>();
    for (var j = 0u; j < 6u; j += 1u) {
        var pivot = l[j][j];
        for (var k = 0u; k < j; k += 1u) {
            pivot -= l[j][k] * l[j][k] * pivots[k];
            q[j] -= l[j][k] * q[k];
        }
        let is_any = pivot > LEAST_PIVOT * l[j][j];
        pivots[j] = select(0.0, pivot, is_any);
        for (var i = j + 1u; i < 6u; i += 1u) {
            var element = l[i][j];
            for (var k = 0u; k < j; k += 1u) {
                element -= l[i][k] * l[j][k] * pivots[k];
            }
            l[i][j] = select(0.0, element / pivot, is_any);
        }
    }
    for (var j = 6u; j > 0u; j -= 1u) {
        let row = j - 1u;
        q[row] = select(0.0, q[row] / pivots[row], pivots[row] > 0.0);
        for (var i = j; i < 6u; i += 1u) {
            q[row] -= l[i][row] * q[i];
        }
    }
    return q;
}
