use std::collections::{HashMap, HashSet};

use glam::{DMat3, DVec2, DVec3};
use proptest::prelude::*;

use super::*;
use crate::shape::{Damping, EdgeStiffness, Flexion, RawSprings, Solid, SurfaceMass};

const SURFACE: Surface = Surface {
    mass: SurfaceMass::Density(0.2),
    stiffness: EdgeStiffness::Tensile(100.0),
    flexion: Flexion::None,
    bending: 0.0,
    damping: Damping::Time(1e-3),
};
const SOLID: Solid = Solid { density: 800.0, young: 3e4, damping_time: 1e-3 };

fn sheet(text: &str, spacing: f32) -> Text {
    Text::new(text, 1.0, Resolution::Spacing(spacing), TextForm::Sheet(SURFACE))
}

fn volume(text: &str, spacing: f32, thickness: f32, material: LatticeMaterial) -> Text {
    Text { form: TextForm::Volume { thickness, material }, ..sheet(text, spacing) }
}

fn printable() -> impl Iterator<Item = char> {
    '!'..='~'
}

/// The islands of the text's glyphs as fine polygons, in ems.
fn outlines(text: &str) -> Vec<outline::Island> {
    let font = Font::bundled();
    let line = font.line(text, 0).unwrap();
    line.glyphs.iter().flat_map(|g| glyph::outline(&font.path(g.glyph).unwrap(), 0.01)).collect()
}

fn area(mesh: &TextMesh) -> f64 {
    let corners = mesh.triangles.iter().map(|t| t.map(|n| mesh.points[n as usize]));
    corners.map(|[a, b, c]| (b - a).perp_dot(c - a) / 2.0).sum()
}

/// Nodes - edges + triangles.
fn euler(mesh: &TextMesh) -> i64 {
    let edges: HashSet<[u32; 2]> = mesh
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    mesh.points.len() as i64 - edges.len() as i64 + mesh.triangles.len() as i64
}

/// Number of connected parts of the nodes, where pairs are edges.
fn parts(count: usize, pairs: impl Iterator<Item = [u32; 2]>) -> usize {
    let mut root: Vec<usize> = (0..count).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    let mut parts = count;
    for [a, b] in pairs {
        let (a, b) = (find(&mut root, a as usize), find(&mut root, b as usize));
        if a != b {
            root[a] = b;
            parts -= 1;
        }
    }
    parts
}

fn assert_sound(mesh: &TextMesh) {
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|n| mesh.points[n as usize].as_vec2());
        assert!((b - a).perp_dot(c - a) > 0.0, "{t:?}: {a} {b} {c}");
    }
    let used: HashSet<u32> = mesh.triangles.iter().flatten().copied().collect();
    assert_eq!(used.len(), mesh.points.len());
}

#[test]
fn every_letter_has_good_triangles_and_its_holes() {
    // The part of the area that chords may cut off, by spacing; a stroke is .12 em wide.
    for (spacing, cut) in [(0.012, 0.008), (0.03, 0.03), (0.08, 0.09), (0.3, 0.15)] {
        for c in printable().chain("ÄÖÜäöüßéñç¼½®".chars()) {
            let text = c.to_string();
            let mesh = sheet(&text, spacing).mesh().unwrap();
            assert_sound(&mesh);
            let q = mesh.quality;
            assert!(q.bad == 0 && q.smallest_angle >= 15.0, "{c} at {spacing}: {q}");
            // No letter of this font has a sharp corner.
            assert!(q.at_sharp_corners == 0, "{c} at {spacing}: {q}");
            assert!(q.edges[1] < 2.0 * f64::from(spacing), "{c} at {spacing}: {q}");
            let islands = outlines(&text);
            let holes: usize = islands.iter().map(|island| island.len() - 1).sum();
            assert_eq!(euler(&mesh), islands.len() as i64 - holes as i64, "{c} at {spacing}");
            let exact: f64 = islands.iter().flatten().map(|c| outline::area(c)).sum();
            let part = area(&mesh) / exact;
            assert!((part - 1.0).abs() < cut, "{c} at {spacing}: {part} of the area");
        }
    }
}

#[test]
fn edges_are_even_where_strokes_are_wider() {
    let mesh = sheet("mass-spring", 0.01).mesh().unwrap();
    let lengths = mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let lengths: Vec<f64> =
        lengths.map(|e| mesh.points[e[0] as usize].distance(mesh.points[e[1] as usize]) / 0.01).collect();
    let far = lengths.iter().filter(|x| !(0.6..1.45).contains(*x)).count();
    assert!(far as f64 <= 0.01 * lengths.len() as f64, "{far} of {}", lengths.len());
    // Also check the angles: smoothing and the lattice make most triangles nearly equilateral.
    let flat = triangulate::Flat { points: mesh.points.clone(), triangles: mesh.triangles.clone() };
    let angles = flat.triangles.iter().flat_map(|t| quality::angles(t.map(|n| flat.points[n as usize])));
    let small = angles.filter(|a| a.to_degrees() < 40.0).count();
    assert!(small as f64 <= 0.02 * 3.0 * flat.triangles.len() as f64, "{small}");
}

#[test]
fn a_wanted_number_of_nodes_is_met() {
    for nodes in [800, 20_000] {
        let mesh = Text { resolution: Resolution::Nodes(nodes), ..sheet("mass-spring", 1.0) }.mesh().unwrap();
        let found = mesh.points.len() as f64 / f64::from(nodes);
        assert!((found - 1.0).abs() < 0.1, "{nodes}: {found}");
        assert_sound(&mesh);
    }
}

#[test]
fn the_same_text_is_the_same_mesh() {
    let text = sheet("Ägypten, 1937", 0.02);
    assert_eq!(text.mesh().unwrap(), text.mesh().unwrap());
}

#[test]
fn overlapping_curves_are_one_island() {
    // Two overlapping squares, one with a hole that the other one half fills. All but the hole wind the same way.
    let mut path = outline::Path::default();
    let mut square = |x: f64, y: f64, size: f64, is_hole: bool| {
        let at = |i: f64, j: f64| DVec2::new(x + i * size, y + j * size);
        let mut corners = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        if is_hole {
            corners.reverse();
        }
        path.start(corners[0]);
        corners[1..].iter().chain(&corners[..1]).for_each(|&p| path.curve([p; 3], 1));
    };
    square(0.0, 0.0, 1.0, false);
    square(0.25, 0.25, 0.5, true);
    square(0.5, 0.0, 1.0, false);
    let islands = path.islands(1e-3);
    assert_eq!(islands.iter().map(Vec::len).collect::<Vec<_>>(), [2]);
    let glyph = glyph::Glyph::mesh(&islands, 0.05).unwrap();
    let total: f64 = islands[0].iter().map(|c| outline::area(c)).sum();
    assert!((total - (1.5 - 0.125)).abs() < 1e-6 && glyph.quality.bad == 0, "{total}");
}

#[test]
fn islands_of_a_glyph_hang_together() {
    for islands in [Islands::Free, Islands::Glyph, Islands::Line] {
        let text = Text { islands, ..sheet("i ä\n%", 0.03) };
        let mesh = text.mesh().unwrap();
        let body = text.body(&mesh).unwrap();
        // i has two islands, ä has three, and the percent sign, which is alone in its line, has five.
        let found = parts(mesh.points.len(), body.springs.iter().map(|s| s.nodes));
        let alone = mesh.islands.iter().max().unwrap() + 1;
        let expected = match islands {
            Islands::Free => alone as usize,
            Islands::Glyph => 3,
            Islands::Line => 2,
        };
        assert_eq!(found, expected, "{islands:?}");
    }
}

#[test]
fn a_dot_does_not_turn() {
    let text = sheet("i", 0.03);
    let mesh = text.mesh().unwrap();
    let body = text.body(&mesh).unwrap();
    let is_dot = |n: u32| mesh.islands[n as usize] != mesh.islands[0];
    let links: Vec<&Spring> =
        body.springs.iter().filter(|s| is_dot(s.nodes[0]) != is_dot(s.nodes[1])).collect();
    assert_eq!(links.len(), 9);
    // Stiffness against two shifts and a turn of the dot, about the middle of its links.
    let place = |n: u32| mesh.points[n as usize];
    let dot = |s: &Spring| if is_dot(s.nodes[0]) { s.nodes } else { [s.nodes[1], s.nodes[0]] };
    let middle = links.iter().map(|s| place(dot(s)[0])).sum::<DVec2>() / 9.0;
    let size = links.iter().map(|s| place(dot(s)[0]).distance(middle)).fold(0.0, f64::max);
    let mut matrix = DMat3::ZERO;
    for s in links {
        let [p, q] = dot(s).map(place);
        let along = (p - q).normalize();
        let row = DVec3::new(along.x, along.y, (p - middle).perp_dot(along) / size);
        matrix += f64::from(s.stiffness) * DMat3::from_cols(row * row.x, row * row.y, row * row.z);
    }
    // The three have the same unit; their product is the determinant.
    let mean = 87.0;
    assert!(matrix.determinant().cbrt() > mean, "{matrix}");
}

#[test]
fn a_volume_is_closed_and_as_large_as_its_area_and_thickness() {
    for c in ["g", "B", "i", "&"] {
        let text = volume(c, 0.04, 0.1, LatticeMaterial::Solid(SOLID));
        let mesh = text.mesh().unwrap();
        let body = text.body(&mesh).unwrap();
        let mut sides = HashMap::new();
        let mut volume = 0.0;
        for t in &body.triangles {
            let [a, b, c] = t.map(|n| body.rest_position[n as usize].as_dvec3());
            volume += a.dot(b.cross(c)) / 6.0;
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                *sides.entry((a, b)).or_insert(0) += 1;
            }
        }
        assert!((volume / (0.1 * area(&mesh)) - 1.0).abs() < 1e-4, "{c}: {volume}");
        assert!(sides.iter().all(|(&(a, b), &n)| n == 1 && sides.get(&(b, a)) == Some(&1)), "{c}");
        let mass: f64 = body.mass.iter().map(|m| f64::from(*m)).sum();
        assert!((mass / (800.0 * volume) - 1.0).abs() < 1e-4, "{c}: {mass}");
        // Layers of at most 1.1 spacings, all of whose nodes are connected.
        assert_eq!(body.rest_position.len(), 4 * mesh.points.len());
        assert_eq!(parts(body.rest_position.len(), body.springs.iter().map(|s| s.nodes)), 1);
    }
}

#[test]
fn any_strain_of_a_volume_has_the_energy_of_the_isotropic_solid() {
    let mu = f64::from(SOLID.young) / 2.5;
    for (spacing, thickness) in [(0.02, 0.02), (0.02, 0.06), (0.03, 0.05)] {
        let text = Text {
            islands: Islands::Free,
            ..volume("mass", spacing, thickness, LatticeMaterial::Solid(SOLID))
        };
        let mesh = text.mesh().unwrap();
        let body = text.body(&mesh).unwrap();
        let volume = f64::from(thickness) * area(&mesh);
        for axes in [
            [1, 0, 0, 0, 0, 0],
            [0, 1, 0, 0, 0, 0],
            [0, 0, 1, 0, 0, 0],
            [0, 0, 0, 1, 0, 0],
            [0, 0, 0, 0, 1, 1],
            [1, -1, 0, 1, 0, 0],
            [1, 1, -1, 0, 1, -1],
        ] {
            let [xx, yy, zz, xy, xz, yz] = axes.map(|e| 1e-3 * f64::from(e));
            let e = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
            let place = |n: u32| body.rest_position[n as usize].as_dvec3();
            let energy: f64 = body
                .springs
                .iter()
                .map(|s| {
                    let r = place(s.nodes[1]) - place(s.nodes[0]);
                    0.5 * f64::from(s.stiffness) * (r.dot(e * r) / r.length()).powi(2)
                })
                .sum();
            let trace = xx + yy + zz;
            let square: f64 = e.to_cols_array().iter().map(|x| x * x).sum();
            let part = energy / (volume * (0.5 * mu * trace * trace + mu * square));
            assert!((part - 1.0).abs() < 0.05, "spacing {spacing}, {thickness} thick, {axes:?}: {part}");
        }
    }
}

#[test]
fn raw_volumes_have_springs_as_given() {
    let raw = RawSprings { structural: 5.0, shear: 2.0, flexion: 1.0, node_mass: 0.1, dashpot: 0.3 };
    let text = volume("l", 0.05, 0.1, LatticeMaterial::Raw(raw));
    let mesh = text.mesh().unwrap();
    let body = text.body(&mesh).unwrap();
    let (nodes, triangles) = (mesh.points.len(), mesh.triangles.len());
    // One island without holes: nodes - edges + triangles = 1; two layers.
    let edges = nodes + triangles - 1;
    let inner = 3 * triangles - edges;
    let of = |family, stiffness| {
        body.springs.iter().filter(|s| (s.family, s.stiffness, s.dashpot) == (family, stiffness, 0.3)).count()
    };
    let found = [of(Family::Structural, 5.0), of(Family::Shear, 2.0), of(Family::Flexion, 1.0)];
    assert_eq!(found, [3 * edges + 2 * nodes, 4 * edges, 3 * inner + nodes]);
    assert_eq!(body.springs.len(), found.iter().sum::<usize>());
    assert!(body.mass.iter().all(|m| *m == 0.1));
}

#[test]
fn kerning_lines_and_alignment_move_glyphs() {
    let left = |text: &Text, c: usize| {
        let mesh = text.mesh().unwrap();
        let nodes = mesh.glyphs[c].clone();
        nodes.map(|n| mesh.points[n as usize]).fold(DVec2::INFINITY, |a, b| a.min(b))
    };
    let at = |text: &str, c: usize| left(&sheet(text, 0.1), c);
    // A V is nearer to an A than to an H.
    let (h, a) = (at("HV", 1).x - at("H", 0).x, at("AV", 1).x - at("A", 0).x);
    let font = Font::bundled();
    let advance = |c: &str| font.line(c, 0).unwrap().width;
    assert!(h - advance("H") > a - advance("A") + 0.02, "{h} {a}");
    let two = sheet("oo\no", 0.1);
    let (first, below) = (left(&two, 0), left(&two, 3));
    assert!(
        (first.y - below.y - font.line_height().unwrap()).abs() < 0.01 && (first.x - below.x).abs() < 1e-9
    );
    let width = advance("oo");
    for (align, shift) in [(Align::Center, width / 2.0), (Align::Right, width)] {
        let moved = left(&Text { align, ..two.clone() }, 0);
        assert!((first.x - moved.x - shift).abs() < 1e-9, "{align:?}");
    }
    let wide = left(&Text { letter_spacing: 0.5, ..two.clone() }, 1);
    assert!((wide.x - left(&two, 1).x - 0.5).abs() < 1e-6);
}

#[test]
fn placement_turns_and_moves() {
    let lying =
        Text { rotate: [-90.0, 0.0, 0.0].into(), translate: [1.0, 2.0, 3.0].into(), ..sheet("o", 0.1) };
    let (mesh, body) = (lying.mesh().unwrap(), lying.build().unwrap());
    for (p, q) in mesh.points.iter().zip(&body.rest_position) {
        assert!(q.distance(Vec3::new(1.0 + p.x as f32, 2.0, 3.0 - p.y as f32)) < 1e-5, "{p} {q}");
    }
}

#[test]
fn what_cannot_be_built_is_refused() {
    let refused = |text: Text, key: &str, part: &str| {
        let error = text.build().err().unwrap();
        assert!(error.key == key && error.to_string().contains(part), "{error}");
    };
    refused(sheet("", 0.1), "text", "at least one letter");
    refused(sheet(" \n ", 0.1), "text", "at least one letter");
    refused(sheet("a\tb", 0.1), "text", "character 1 is the control character U+0009");
    refused(
        sheet("aπ", 0.1),
        "text",
        "character 1 is 'π' (U+03C0): the bundled Noto Serif has no glyph for it",
    );
    refused(sheet("a", 0.0), "spacing", "above zero");
    refused(sheet("a", f32::NAN), "spacing", "above zero");
    refused(sheet("a", 1.5), "spacing", "at most the size of the text, 1 m");
    refused(sheet("a", 1e-6), "spacing", "too fine: some");
    refused(Text { resolution: Resolution::Nodes(2), ..sheet("a", 0.1) }, "nodes", "from 3 to");
    refused(Text { resolution: Resolution::Nodes(10), ..sheet("mass", 0.1) }, "nodes", "too few");
    for size in [-1.0, 0.0, f32::INFINITY, f32::NAN] {
        refused(Text { size, ..sheet("a", 0.1) }, "size", "above zero");
    }
    refused(Text { size: 1e7, ..sheet("a", 0.1) }, "size", "beyond 1e6");
    refused(Text { size: 1e-3, translate: Vec3::splat(9e5), ..sheet("a", 1e-4) }, "size", "rounding");
    refused(Text { letter_spacing: 101.0, ..sheet("a", 0.1) }, "letter-spacing", "at most 100 sizes");
    refused(Text { line_spacing: f32::NAN, ..sheet("a", 0.1) }, "line-spacing", "from 0 to 100");
    refused(Text { rotate: Vec3::NAN, ..sheet("a", 0.1) }, "rotate", "finite");
    let solid = |thickness| volume("a", 0.1, thickness, LatticeMaterial::Solid(SOLID));
    refused(solid(-1.0), "thickness", "above zero");
    refused(solid(0.02), "thickness", "at least half its spacing");
    refused(solid(1e6), "thickness", "too thick");
    let soft = Solid { young: f32::NAN, ..SOLID };
    refused(volume("a", 0.1, 0.1, LatticeMaterial::Solid(soft)), "young", "above zero");
    let heavy = Surface { mass: SurfaceMass::Density(-1.0), ..SURFACE };
    refused(Text { form: TextForm::Sheet(heavy), ..sheet("a", 0.1) }, "density", "above zero");
}

#[test]
fn corrupt_fonts_are_refused_without_a_panic() {
    let error = |bytes: &[u8]| Font::new("x.ttf", bytes.to_vec()).err().map(|e| e.to_string());
    for bytes in [&b""[..], b"not a font at all", &[0, 1, 0, 0, 255, 255]] {
        let message = error(bytes).unwrap();
        assert!(message.starts_with("font = x.ttf: ") && message.contains("sound TrueType"), "{message}");
    }
    let sound = include_bytes!("../../../fonts/NotoSerif-SemiBold-Latin1.ttf");
    assert_eq!(error(sound), None);
    // A font that is cut short or has changed bytes is refused, or gives a text.
    for i in 0..24 {
        let mut bytes = sound.to_vec();
        match i % 2 {
            0 => bytes.truncate(i * 1000),
            _ => (0..40).for_each(|j| {
                let at = (i * 7919 + j * 613) % bytes.len();
                bytes[at] ^= 0x5a;
            }),
        }
        if let Ok(font) = Font::new("x.ttf", bytes) {
            let _ = Text { font, ..sheet("gi", 0.5) }.build();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_at_any_spacing_has_sound_triangles(text in "[ -~]{1,8}", exponent in -4.0f32..0.0) {
        match sheet(&text, exponent.exp()).mesh() {
            Ok(mesh) => {
                assert_sound(&mesh);
                prop_assert!(mesh.quality.bad == 0, "{}", mesh.quality);
            }
            Err(error) => prop_assert!(text.trim().is_empty(), "{error}"),
        }
    }
}
