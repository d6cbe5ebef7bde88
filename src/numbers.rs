//! Constants of the WGSL files, read from there when the program is compiled, so that each is written once.

/// Threads of a workgroup of most kernels.
pub const WORKGROUP_SIZE: u32 = whole(include_str!("../shaders/core/launch.wgsl"), "WORKGROUP_SIZE");
/// Threads of a workgroup that visits small levels, on a graphics card.
pub const WIDE_SIZE: u32 = whole(DENSE, "WIDE_SIZE");
/// The same on a software driver.
pub const NARROW_SIZE: u32 = whole(DENSE, "NARROW_SIZE");
/// Nodes of a slice of stored rows, and of a workgroup.
pub const SLICE: usize = whole(include_str!("../shaders/network/mesh.wgsl"), "SLICE") as usize;

/// Most parts of a sum over a copy's nodes.
pub const MOST_SUMS: u32 = whole(PART_SUM, "MOST_SUMS");
/// Of a copy of more nodes than this a part may tell for all.
pub const MANY_NODES: u32 = whole(PART_SUM, "MANY_NODES");
/// Of such a copy one in so many stretches of `WORKGROUP_SIZE` nodes is looked at.
pub const EVERY: u32 = whole(PART_SUM, "EVERY");

/// Most colliders of a model.
pub const MOST_COLLIDERS: usize = whole(MOMENT, "MOST_COLLIDERS") as usize;
/// Most loads of a model.
pub const MOST_LOADS: usize = whole(MOMENT, "MOST_LOADS") as usize;
/// Most handles at a time.
pub const MOST_HANDLES: usize =
    whole(include_str!("../shaders/forces/handles.wgsl"), "MOST_HANDLES") as usize;

const PART_SUM: &str = include_str!("../shaders/core/part_sum.wgsl");
const DENSE: &str = include_str!("../shaders/core/dense.wgsl");
const MOMENT: &str = include_str!("../shaders/state/moment.wgsl");
const CONTROL: &str = include_str!("../shaders/methods/newton_multigrid/control.wgsl");
const GRID_TAIL: &str = include_str!("../shaders/methods/newton_multigrid/grid/tail.wgsl");
const MESH_TAIL: &str = include_str!("../shaders/methods/newton_multigrid/mesh/tail.wgsl");

/// Least stiffness of a spring across it, as a part of that along it, in the Newton matrix.
pub const LEAST_ACROSS: f64 = value(CONTROL, "LEAST_ACROSS");
/// Weight of a block Jacobi sweep.
pub const OMEGA: f64 = value(CONTROL, "OMEGA");
/// Most nodes of all levels that one workgroup visits.
pub const TAIL_NODES: u32 = whole(GRID_TAIL, "TAIL_NODES");
/// Most nodes of the first of them.
pub const FIRST_NODES: u32 = whole(GRID_TAIL, "FIRST_NODES");
/// Most nodes of a level of any network whose whole matrix fits the memory that a workgroup shares.
pub const MOST_DENSE: usize = whole(MESH_TAIL, "MOST_DENSE") as usize;

/// As [`value`], of a whole number.
const fn whole(text: &str, name: &str) -> u32 {
    value(text, name) as u32
}

/// The value of `const NAME: TYPE = VALUE;` in a WGSL text. Where there is none, the program does not compile.
const fn value(text: &str, name: &str) -> f64 {
    let text = text.as_bytes();
    let mut at = beginning(text, name.as_bytes());
    let (mut digits, mut scale, mut is_fraction, mut is_over) = (0u64, 1u64, false, false);
    assert!(text[at].is_ascii_digit(), "not a plain number");
    loop {
        match text[at] {
            digit @ b'0'..=b'9' if !is_over => {
                digits = 10 * digits + (digit - b'0') as u64;
                scale *= if is_fraction { 10 } else { 1 };
            }
            b'.' if !is_over && !is_fraction => is_fraction = true,
            b'u' | b'f' if !is_over => is_over = true,
            b';' => return digits as f64 / scale as f64,
            _ => panic!("not a plain number"),
        }
        at += 1;
    }
}

/// Where the value of a constant begins.
const fn beginning(text: &[u8], name: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() {
        if (at == 0 || text[at - 1] == b'\n') && begins(text, at, b"const ") && begins(text, at + 6, name) {
            let mut end = at + 6 + name.len();
            if text[end] == b':' {
                while text[end] != b'=' {
                    end += 1;
                }
                return end + 2;
            }
        }
        at += 1;
    }
    panic!("no such constant")
}

const fn begins(text: &[u8], at: usize, with: &[u8]) -> bool {
    let mut k = 0;
    while k < with.len() {
        if at + k >= text.len() || text[at + k] != with[k] {
            return false;
        }
        k += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn a_number_is_what_rust_would_read() {
        let text =
            "// const A: u32 = 1u;\nconst AB: u32 = 2u;\nconst A: u32 = 64u;  // B\nconst B: f32 = 0.003;\n";
        assert_eq!((value(text, "A"), value(text, "AB"), value(text, "B")), (64.0, 2.0, 0.003));
        // The references share these, so that a change of one would move both sides of a comparison.
        assert_eq!((super::LEAST_ACROSS, super::OMEGA), (0.003, 0.8));
        assert_eq!((super::TAIL_NODES, super::FIRST_NODES, super::MOST_DENSE), (630, 490, 29));
    }
}
