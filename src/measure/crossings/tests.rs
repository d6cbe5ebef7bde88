use glam::Vec3;

use super::*;
use crate::model::{Body, ModelBuilder};
use crate::shape::Cloth;

/// Numbers between 0 and 1.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }
    fn below(&mut self, n: usize) -> usize {
        (self.roll() * n as f32) as usize % n
    }
    fn point(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll())
    }
}

fn surface(name: &str, points: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Body {
    let mass = vec![1.0; points.len()];
    Body { name: name.into(), rest_position: points, mass, triangles, ..Body::default() }
}

fn model(bodies: impl IntoIterator<Item = Body>) -> Model {
    let mut builder = ModelBuilder::new();
    bodies.into_iter().for_each(|body| {
        builder.add(body);
    });
    builder.build().unwrap()
}

/// A sheet of `columns` by `rows` nodes between the edges `u` and `v`.
fn sheet(size: [u32; 2], corner: Vec3, u: Vec3, v: Vec3) -> Body {
    Cloth::new(size, u, v).at(corner).build().unwrap()
}

fn at_start(model: &Model) -> Crossings {
    crossings(model, &model.initial_state().position)
}

/// Every edge against every triangle, edges and all else found anew.
fn by_hand(model: &Model, position: &[Vec3]) -> Vec<Crossing> {
    let mut edges = std::collections::BTreeSet::new();
    for t in model.triangles() {
        for side in 0..3 {
            let (p, q) = (t[side], t[(side + 1) % 3]);
            edges.insert([p.min(q), p.max(q)]);
        }
    }
    let mut found = Vec::new();
    for edge in edges {
        for &triangle in model.triangles() {
            let is_apart = model.copy_of(edge[0]) == model.copy_of(triangle[0])
                && triangle.iter().all(|node| !edge.contains(node));
            let points = (edge.map(|n| position[n as usize]), triangle.map(|n| position[n as usize]));
            if is_apart && let Some(point) = predicate::crossing(points.0, points.1) {
                found.push(Crossing { edge, triangle, point });
            }
        }
    }
    found.sort_by_key(|c| (c.edge, c.triangle));
    found
}

/// That the count is the one by hand, which is returned.
fn agree(model: &Model, position: &[Vec3]) -> usize {
    let (found, expected) = (crossings(model, position), by_hand(model, position));
    assert_eq!(found.count, expected.len());
    assert_eq!(found.examples, expected[..expected.len().min(EXAMPLES)]);
    for meeting in &found.meetings {
        let is_of = |c: &&Crossing| {
            let body = |node| model.bodies().iter().position(|b| b.nodes.contains(&node)).unwrap();
            let [a, b] = [body(c.edge[0]), body(c.triangle[0])];
            [a.min(b), a.max(b)] == meeting.bodies
        };
        assert_eq!(expected.iter().filter(is_of).count(), meeting.count, "{meeting:?}");
    }
    assert_eq!(found.meetings.iter().map(|m| m.count).sum::<usize>(), found.count);
    found.count
}

#[test]
fn every_pair_of_a_soup_is_examined() {
    let mut dice = Dice(7);
    for (bodies, nodes, triangles) in [(1, 9, 12), (1, 60, 90), (3, 40, 60), (9, 8, 6), (2, 300, 400)] {
        let soup = |dice: &mut Dice| {
            let points = (0..nodes).map(|_| dice.point()).collect();
            let corners = |dice: &mut Dice| {
                let a = dice.below(nodes);
                [a, (a + 1) % nodes, (a + 2 + dice.below(nodes - 2)) % nodes].map(|n| n as u32)
            };
            surface("soup", points, (0..triangles).map(|_| corners(dice)).collect())
        };
        let model = model((0..bodies).map(|_| soup(&mut dice)));
        let checker = Checker::new(&model);
        let start = &model.initial_state().position;
        assert!(agree(&model, start) > 10);
        // Positions that have nothing to do with those of which the tree was made.
        let moved: Vec<Vec3> = start.iter().map(|_| dice.point()).collect();
        assert!(agree(&model, &moved) > 10);
        assert_eq!(checker.count(&moved), crossings(&model, &moved));
        assert_eq!(checker.count(start), crossings(&model, start));
        // On few places, where most pairs touch, lie in one plane or have no area.
        let coarse: Vec<Vec3> = start.iter().map(|p| (3.0 * *p).floor()).collect();
        agree(&model, &coarse);
        // Flat, and askew, so that no box is flat.
        let flat: Vec<Vec3> = start.iter().map(|p| Vec3::new(p.x, p.x + p.z, p.z)).collect();
        agree(&model, &flat);
        let level: Vec<Vec3> = start.iter().map(|p| Vec3::new(p.x, 0.5, p.z)).collect();
        assert_eq!(agree(&model, &level), 0);
    }
}

/// A sheet in the plane y = 0 of cells of 1 m, and one across it with a row of three cells, whose middle is in that plane. Each
/// cell has a diagonal.
#[test]
fn a_sheet_through_a_sheet_crosses_in_as_many_places_as_edges_do() {
    let through = |x: f32| {
        let flat = sheet([6, 6], Vec3::ZERO, 5.0 * Vec3::X, 5.0 * Vec3::Z).named("flat");
        let across = sheet([4, 2], Vec3::new(x, -0.5, 2.25), 2.25 * Vec3::X, Vec3::Y).named("across");
        let model = model([flat, across]);
        let start = &model.initial_state().position;
        let count = agree(&model, start);
        let all = by_hand(&model, start);
        assert!(all.iter().all(|c| c.point.y == 0.0 && c.point.z == 2.25));
        let of_flat = all.iter().filter(|c| model.bodies()[0].nodes.contains(&c.edge[0])).count();
        (model, [of_flat, count - of_flat])
    };
    // Of the second sheet go 4 columns and 3 diagonals through one triangle each. Of the first one, which the second meets
    // from x = 1.0625 to 3.3125, go the edges at x = 2 and 3 and the diagonals at 1.25, 2.25 and 3.25.
    let (model, counts) = through(1.0625);
    assert_eq!(counts, [5, 7]);
    let found = at_start(&model);
    assert_eq!(found.meetings, [Meeting { bodies: [0, 1], count: 12 }]);
    let text = found.examples[0].text(&model);
    assert!(
        text.starts_with("the edge of nodes 1") && text.contains("of 'flat' goes through the "),
        "{text}"
    );
    assert!(text.contains("of 'across' at (") && text.ends_with(", 0.0000, 2.2500) m"), "{text}");
    // Diagonals of the second sheet meet a diagonal of the first one, at 2.25, and an edge of it, at 3: each of these
    // four goes through two triangles.
    let (_, counts) = through(1.125);
    assert_eq!(counts, [5 + 2, 7 + 2]);
}

#[test]
fn what_touches_does_not_cross() {
    let ground = surface("ground", vec![Vec3::ZERO, 4.0 * Vec3::X, 4.0 * Vec3::Z], vec![[0, 1, 2]]);
    let with = |points: [Vec3; 3]| {
        let other = surface("other", vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
        let model = model([ground.clone(), other]);
        let position = [&ground.rest_position[..], &points].concat();
        agree(&model, &position)
    };
    let up = Vec3::Y;
    let (a, b) = (Vec3::new(1.0, 0.0, 1.0), Vec3::new(2.0, 0.0, 1.0));
    assert_eq!(with([a, a + up, b + up]), 0, "a corner on the triangle");
    assert_eq!(with([a, b, a + up]), 0, "an edge on it");
    assert_eq!(with([a, b, Vec3::new(1.0, 0.0, 2.0)]), 0, "all of it");
    assert_eq!(with([-9.0 * Vec3::X, 9.0 * Vec3::X, 9.0 * Vec3::Z]), 0, "all of it, larger");
    assert_eq!(with([a - up, a + up, b + up]), 2, "two edges through it");
    assert_eq!(with([a - up, a + up, a]), 1, "a line through it, one half of which ends on it");
    // The border counts: at x = 1 on the side along x, and with it the edge of the ground that goes through the other one.
    assert_eq!(with([Vec3::X - up, Vec3::X + up, Vec3::new(1.0, 0.0, -1.0)]), 2, "through the border");
    // The third corner belongs to a triangle that the ground does not go through; the edge of the others stays.
    assert_eq!(with([9.0 * up, a + up, b - up]), 2, "two edges through it");
    assert_eq!(with([f32::NAN * up, a + up, b - up]), 1, "a node that is nowhere");
    assert_eq!(with([Vec3::INFINITY, a + up, b - up]), 1, "a node that is out of reach");
}

#[test]
fn two_sheets_that_lie_on_each_other_touch() {
    let size = [10, 12];
    for (u, v) in [(Vec3::X, Vec3::Z), (Vec3::new(2.0, 1.0, -2.0), Vec3::new(1.0, 2.0, 2.0))] {
        let model = model([sheet(size, Vec3::ZERO, u, v), sheet(size, Vec3::ZERO, u, v)]);
        let start = &model.initial_state().position;
        assert_eq!(agree(&model, start), 0);
        // As soon as one node is through, its edges are.
        let mut pushed = start.clone();
        let node = 120 + 5 * 10 + 5;
        pushed[node] += 1e-3 * u.cross(v).normalize();
        pushed[node - 120] -= 1e-3 * u.cross(v).normalize();
        assert_eq!(agree(&model, &pushed), 0);
        pushed[node - 120 + 1] += 1e-2 * u.cross(v).normalize();
        assert!(agree(&model, &pushed) > 0);
    }
}

/// A strip in the plane, rolled so that its second half comes back through the first.
#[test]
fn a_fold_crosses_itself_once_it_is_through() {
    let model = model([sheet([21, 4], Vec3::ZERO, 20.0 * Vec3::X, 3.0 * Vec3::Z)]);
    let fold = |end: f32| -> Vec<Vec3> {
        // Up at x = 10, back at y = 2, and then down to y = `end` at x = 4.5.
        let along = |x: f32| match x {
            x if x <= 10.0 => Vec3::new(x, 0.0, 0.0),
            x if x <= 12.0 => Vec3::new(10.0, x - 10.0, 0.0),
            x if x <= 17.0 => Vec3::new(22.0 - x, 2.0, 0.0),
            x => Vec3::new(4.625, 2.0 - (2.0 - end) * (x - 17.0) / 3.0, 0.25),
        };
        model.rest_position().iter().map(|p| along(p.x.round()) + p.z * Vec3::Z).collect()
    };
    assert_eq!(agree(&model, &fold(0.5)), 0);
    assert_eq!(agree(&model, &fold(f32::EPSILON)), 0);
    // Its end is on the edges of the first half, three along x and three diagonals, and in no triangle.
    assert_eq!(agree(&model, &fold(0.0)), 6);
    let through = crossings(&model, &fold(-0.5));
    assert_eq!(through.count, agree(&model, &fold(-0.5)));
    assert!(through.count > 8, "{}", through.count);
    assert_eq!(through.meetings, [Meeting { bodies: [0, 0], count: through.count }]);
}

#[test]
fn copies_do_not_meet() {
    let one = || {
        let flat = sheet([4, 4], Vec3::ZERO, Vec3::X, Vec3::Z);
        let across = sheet([4, 3], Vec3::new(0.1, -0.4, 0.4), Vec3::X, Vec3::Y);
        model([flat, across])
    };
    let alone = agree(&one(), &one().initial_state().position);
    let batch = Model::stack((0..5).map(|_| one()).collect()).unwrap();
    let mut position = batch.initial_state().position.clone();
    assert!(alone > 0);
    assert_eq!(agree(&batch, &position), 5 * alone);
    let found = crossings(&batch, &position);
    let bodies: Vec<[usize; 2]> = found.meetings.iter().map(|m| m.bodies).collect();
    assert_eq!(bodies, [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]);
    // A copy that has broken down.
    position[batch.nodes_per_copy()..2 * batch.nodes_per_copy()].fill(Vec3::NAN);
    assert_eq!(agree(&batch, &position), 4 * alone);
}

#[test]
fn a_model_without_triangles_has_no_crossings() {
    let model = model([surface("points", vec![Vec3::ZERO, Vec3::X], Vec::new())]);
    assert_eq!(at_start(&model), Crossings::default());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let mut dice = Dice(3);
    let model = model([sheet([40, 30], Vec3::ZERO, Vec3::X, Vec3::Z)]);
    let crumpled: Vec<Vec3> = model.rest_position().iter().map(|p| *p + 0.1 * dice.point()).collect();
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let found = crossings(&model, &crumpled);
    assert!(found.count > 100);
    assert_eq!(alone.install(|| crossings(&model, &crumpled)), found);
    assert_eq!(agree(&model, &crumpled), found.count);
}

/// Prints times; no assertion, because other work may run beside it.
#[test]
#[ignore = "a measurement: cargo test --release --lib -- --ignored --nocapture crossings::tests::time"]
fn time_of_a_count() {
    let size = [224, 224];
    let (u, v) = (Vec3::new(2.0, 1.0, -2.0), Vec3::new(1.0, 2.0, 2.0));
    let mut dice = Dice(5);
    let flat = model([sheet(size, Vec3::ZERO, Vec3::X, Vec3::Z), sheet(size, Vec3::ZERO, Vec3::X, Vec3::Z)]);
    let askew = model([sheet(size, Vec3::ZERO, u, v), sheet(size, Vec3::ZERO, u, v)]);
    let start = |model: &Model| model.initial_state().position.clone();
    let mut rough = |model: &Model| -> Vec<Vec3> {
        model.initial_state().position.iter().map(|p| *p + 0.01 * dice.point()).collect()
    };
    let (rough_flat, rough_askew) = (rough(&flat), rough(&askew));
    for (name, model, position) in [
        ("flat on each other", &flat, start(&flat)),
        ("askew on each other", &askew, start(&askew)),
        ("crumpled, flat", &flat, rough_flat),
        ("crumpled, askew", &askew, rough_askew),
    ] {
        let begun = std::time::Instant::now();
        let checker = Checker::new(model);
        let built = begun.elapsed();
        let found = checker.count(&position);
        let counted = begun.elapsed() - built;
        println!(
            "{name}: {} nodes, built {built:.3?}, {} counted in {counted:.3?}",
            model.node_count(),
            found.count
        );
    }
}
