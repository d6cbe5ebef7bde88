//! Materials of springs: if a network has few distinct ones, each link stores the number of its material.

use std::collections::HashMap;

use crate::model::{Model, Multipliers, stored_stiffness};

/// Most materials: 48 KiB, which fits into a processor's first-level cache.
const MOST: usize = 4096;

/// The distinct materials of a network.
pub struct Materials {
    /// Rest length \[m\], stiffness [N/m], dashpot [N s/m], penalty [N/m] and limit \[m\]; the first is for empty
    /// slots.
    pub table: Vec<[f32; 5]>,
    /// The material of each spring.
    pub of_spring: Vec<u16>,
    /// Bits of a link for the other node; the material has the rest.
    pub shift: u32,
}

impl Materials {
    /// `None` if there are too many to be stored in a link beside the node.
    pub fn of(model: &Model, multipliers: &Multipliers) -> Option<Self> {
        let shift = bits(model.node_count());
        let most = most(shift);
        let mut materials =
            Self { table: vec![[0.0; 5]], of_spring: Vec::with_capacity(model.springs().len()), shift };
        let mut numbers = HashMap::new();
        let mut last = ([0u32; 5], 0);
        for (s, spring) in model.springs().iter().enumerate() {
            let stiffness = stored_stiffness(spring.stiffness);
            let (penalty, limit) = (multipliers.penalty(s), multipliers.limit(s));
            let material = [spring.rest_length, stiffness, spring.dashpot, penalty, limit];
            let key = material.map(f32::to_bits);
            if key != last.0 {
                let next = materials.table.len();
                let number = *numbers.entry(key).or_insert(next);
                if number == next {
                    if next == most {
                        return None;
                    }
                    materials.table.push(material);
                }
                last = (key, number);
            }
            materials.of_spring.push(last.1 as u16);
        }
        Some(materials)
    }
}

/// Bits for the index of a node. The shift is a constant of kernels, and fewer bits would make no room for more than [`MOST`]
/// materials: the same for most networks, so that drivers compile one kernel for all of these.
fn bits(nodes: usize) -> u32 {
    (usize::BITS - (nodes - 1).leading_zeros()).max(u32::BITS - MOST.ilog2())
}

/// Number of materials for which the other bits suffice.
fn most(shift: u32) -> usize {
    MOST.min(1 << (32 - shift))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{Body, ModelBuilder, Spring};

    /// A chain whose springs have the stiffness 1, 2, .. `kinds`, repeated.
    fn chain(nodes: u32, kinds: u32) -> Model {
        let spring = |i: u32| Spring {
            nodes: [i, i + 1],
            rest_length: 1.0,
            stiffness: (1 + i % kinds) as f32,
            dashpot: 0.0,
            family: Default::default(),
        };
        let body = Body {
            rest_position: (0..nodes).map(|i| Vec3::X * i as f32).collect(),
            mass: vec![1.0; nodes as usize],
            springs: (0..nodes - 1).map(spring).collect(),
            ..Body::default()
        };
        let mut builder = ModelBuilder::new();
        builder.add(body);
        builder.build().unwrap()
    }

    fn of(model: &Model) -> Option<Materials> {
        Materials::of(model, &Multipliers::none())
    }

    #[test]
    fn alike_springs_share_a_material() {
        let found = of(&chain(9, 3)).unwrap();
        let kinds = [1.0, 2.0, 3.0].map(|stiffness| [1.0, stiffness, 0.0, 0.0, 0.0]);
        assert_eq!(found.table, [&[[0.0; 5]], &kinds[..]].concat());
        assert_eq!(found.of_spring, [1, 2, 3, 1, 2, 3, 1, 2]);
        assert_eq!(found.shift, 20);
        assert_eq!([2, 1 << 20, (1 << 20) + 1, 50_000_000].map(bits), [20, 20, 21, 26]);
        let room = |nodes| most(bits(nodes));
        assert_eq!([1 << 20, (1 << 20) + 1, 50_000_000].map(room), [4096, 2048, 64]);
    }

    #[test]
    fn too_many_materials_are_none() {
        let most = MOST as u32 - 1; // beside the empty one
        assert_eq!(of(&chain(6000, most)).unwrap().table.len(), MOST);
        assert!(of(&chain(6000, most + 1)).is_none());
    }
}
