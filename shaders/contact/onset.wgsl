// The energy between two layers at distance d, of thickness D and stiffness k, with q = D - d. Pure.
//     f = k q^2 / (2 r)       0 <= q <= r         the onset, r a part of D
//         k (q - r / 2)       r < q
// Without an onset, f has a kink at D, where cloth rests: from iteration to iteration pairs would open and close there in turn. No
// pair pulls, so their force would be too large on average, and friction with it. A barrier would not do: coarser levels have the
// mean row of many pairs, and one that is much stiffer than the others of its group would make them overshoot.
//!import contact/law.wgsl

struct Response {
    energy: f32,    // [J]
    press: Press,
}

// `onset`: r / D, below one half.
fn respond(distance: f32, thickness: f32, stiffness: f32, onset: f32) -> Response {
    let q = thickness - distance;
    let r = onset * thickness;
    if (q <= 0.0) {
        return Response(0.0, Press(0.0, 0.0));
    }
    let k = stiffness;
    if (q < r) {
        return Response(k * q * q * q / (6.0 * r), Press(0.5 * k * q * q / r, k * q / r));
    }
    let over = q - r;
    return Response(k * (r * r / 6.0 + 0.5 * r * over + 0.5 * over * over), Press(k * (q - 0.5 * r), k));
}
