// The force between two layers at distance d, of thickness D and stiffness k: f = k (D - d) where d < D. Pure.

struct Press {
    force: f32,     // f [N]
    slope: f32,     // -df/dd [N/m]
}

fn press_at(distance: f32, thickness: f32, stiffness: f32) -> Press {
    if (distance >= thickness) {
        return Press(0.0, 0.0);
    }
    return Press(stiffness * (thickness - distance), stiffness);
}
