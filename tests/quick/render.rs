//! Small pictures of known scenes, checked with a tolerance. Any adapter will do; none is a failure.

use glam::{Vec3, Vec4};
use taffeta::gpu::{Buffer, Gpu, GpuOptions, Usage};
use taffeta::model::{Body, Collider, ColliderShape, Family, Model, ModelBuilder, Path, Spring};
use taffeta::render::{Camera, Image, Look, Mode, Projection, Renderer, Scene};
use taffeta::simulation::Surface;

/// A square sheet of `n * n` nodes, one meter wide, in the plane z = 0 with its front towards +z.
fn sheet(n: u32) -> Body {
    let step = 1.0 / (n - 1) as f32;
    let mut body = Body { name: "sheet".into(), ..Body::default() };
    for i in 0..n * n {
        body.rest_position.push(Vec3::new((i % n) as f32 * step, (i / n) as f32 * step, 0.0));
        body.mass.push(0.01);
    }
    let spring = |a, b, rest_length, family| Spring {
        nodes: [a, b],
        rest_length,
        stiffness: 1.0,
        dashpot: 0.0,
        family,
    };
    for i in 0..n * n {
        let (c, r) = (i % n, i / n);
        if c + 1 < n {
            body.springs.push(spring(i, i + 1, step, Family::Structural));
        }
        if r + 1 < n {
            body.springs.push(spring(i, i + n, step, Family::Structural));
        }
        if c + 1 < n && r + 1 < n {
            body.springs.push(spring(i, i + n + 1, step * 2f32.sqrt(), Family::Shear));
            body.triangles.extend([[i, i + 1, i + n + 1], [i, i + n + 1, i + n]]);
        }
    }
    body
}

fn rope(n: u32) -> Body {
    let mut body = sheet(n);
    body.triangles.clear();
    body.springs.retain(|s| s.nodes[1] < n);
    body.rest_position.truncate(n as usize);
    body.mass.truncate(n as usize);
    body
}

fn model(body: Body) -> Model {
    let mut builder = ModelBuilder::new();
    builder.add(body);
    builder.build().unwrap()
}

/// Draws the model with its nodes at `place` of their rest positions and `stretch` of their index.
fn draw(
    model: &Model,
    place: impl Fn(Vec3) -> Vec3,
    stretch: impl Fn(usize) -> f32,
    camera: &Camera,
    look: &Look,
    size: [u32; 2],
) -> Image {
    draw_at(0.0, model, place, stretch, camera, look, size)
}

/// As [`draw`], with colliders where they are at `time`.
fn draw_at(
    time: f64,
    model: &Model,
    place: impl Fn(Vec3) -> Vec3,
    stretch: impl Fn(usize) -> f32,
    camera: &Camera,
    look: &Look,
    size: [u32; 2],
) -> Image {
    let gpu = Gpu::open(&GpuOptions::default()).expect("an adapter: Mesa's software driver will do");
    let positions: Vec<Vec4> = model.rest_position().iter().map(|p| place(*p).extend(1.0)).collect();
    let stretch: Vec<f32> = (0..model.node_count()).map(stretch).collect();
    let positions = Buffer::from_slice(&gpu, "positions", &positions, Usage::empty()).unwrap();
    let stretch = Buffer::from_slice(&gpu, "stretch", &stretch, Usage::empty()).unwrap();
    let surface = Surface::new(&gpu, model).unwrap();
    let scene =
        Scene { model, positions: &positions, stretch: &stretch, nearness: None, surface: &surface, time };
    let mut renderer = Renderer::new(&gpu, model, Renderer::IMAGE_FORMAT).unwrap();
    renderer.render_to_image(&gpu, &scene, camera, look, size[0], size[1]).unwrap()
}

fn perspective(fov: f32) -> Projection {
    Projection::Perspective { fov }
}

/// Looks at the middle of the sheet along -z (from the front) or +z.
fn facing(from: f32) -> Camera {
    Camera::look_at(Vec3::new(0.5, 0.5, from), Vec3::new(0.5, 0.5, 0.0), Vec3::Y, perspective(0.6))
}

fn plain() -> Look {
    Look { ground: false, ..Look::default() }
}

fn difference(a: [u8; 3], b: [u8; 3]) -> i32 {
    (0..3).map(|k| (i32::from(a[k]) - i32::from(b[k])).abs()).sum()
}

fn brightness(c: [u8; 3]) -> i32 {
    c.iter().map(|&x| i32::from(x)).sum()
}

#[test]
fn the_sheet_is_where_it_should_be() {
    let sheet = model(sheet(9));
    let image = draw(&sheet, |p| p, |_| 0.0, &facing(3.0), &plain(), [64, 48]);
    let empty = draw(&sheet, |p| p + 100.0 * Vec3::Z, |_| 0.0, &facing(3.0), &plain(), [64, 48]);
    let covered = |x: u32, y: u32| difference(image.at(x, y), empty.at(x, y)) > 40;
    // Half of the sheet is 0.5 m of 3 tan(0.3) = 0.928 m: 12.9 pixels of 24.
    for (x, y) in [(32, 24), (21, 13), (43, 13), (21, 35), (43, 35)] {
        assert!(covered(x, y), "({x}, {y}) is empty");
    }
    for (x, y) in [(17, 24), (46, 24), (32, 9), (32, 38), (1, 1)] {
        assert!(!covered(x, y), "({x}, {y}) is covered");
    }
}

#[test]
fn without_perspective_distance_changes_no_size() {
    let sheet = model(sheet(9));
    let projection = Projection::Orthographic { height: 2.0 };
    let (eye, target) = (Vec3::new(0.5, 0.5, 3.0), Vec3::new(0.5, 0.5, 0.0));
    let camera = Camera::look_at(eye, target, Vec3::Y, projection);
    let picture = |z: f32| draw(&sheet, |p| p + z * Vec3::Z, |_| 0.0, &camera, &plain(), [64, 48]);
    let empty = picture(5.0); // behind the eye
    for image in [picture(1.5), picture(-20.0)] {
        let covered = |x: u32, y: u32| difference(image.at(x, y), empty.at(x, y)) > 40;
        // Half of the sheet is 0.5 m of 1 m: 12 pixels of 24, to the pixel.
        for y in 0..48 {
            for x in 0..64 {
                assert_eq!(covered(x, y), (20..44).contains(&x) && (12..36).contains(&y), "({x}, {y})");
            }
        }
    }
}

#[test]
fn front_and_back_have_their_own_colors() {
    let sheet = model(sheet(9));
    let look = Look { front: [200, 30, 30], back: [30, 30, 200], ..plain() };
    let [r, _, b] = draw(&sheet, |p| p, |_| 0.0, &facing(3.0), &look, [64, 48]).at(32, 24).map(i32::from);
    assert!(r > b + 60, "front: red {r}, blue {b}");
    let [r, _, b] = draw(&sheet, |p| p, |_| 0.0, &facing(-3.0), &look, [64, 48]).at(32, 24).map(i32::from);
    assert!(b > r + 60, "back: red {r}, blue {b}");
}

#[test]
fn the_ground_is_darker_in_the_shadow() {
    let sheet = model(sheet(17));
    let look = Look { light: Vec3::Y, ground_height: Some(0.0), ..Look::default() };
    // Horizontal, half a meter above the ground; seen from a side that shows the ground beneath.
    let place = |p: Vec3| Vec3::new(p.x - 0.5, 0.5, p.y - 0.5);
    for projection in [perspective(0.5), Projection::Orthographic { height: 2.0 }] {
        let (eye, target) = (Vec3::new(0.0, 0.35, 4.0), Vec3::new(0.0, 0.2, 0.0));
        let camera = Camera::look_at(eye, target, Vec3::Y, projection);
        let image = draw(&sheet, place, |_| 0.0, &camera, &look, [160, 120]);
        let clip = |p: Vec3| {
            let c = camera.view_projection(160.0 / 120.0) * p.extend(1.0);
            image.at((80.0 + 80.0 * c.x / c.w) as u32, (60.0 - 60.0 * c.y / c.w) as u32)
        };
        let (shadow, lit) = (clip(Vec3::new(0.05, 0.0, 0.05)), clip(Vec3::new(1.05, 0.0, 0.05)));
        assert!(brightness(lit) > brightness(shadow) + 90, "lit {lit:?}, shadow {shadow:?}, {projection:?}");
    }
}

#[test]
fn folds_hide_the_sky() {
    let sheet = model(sheet(65));
    // A narrow trough: its bottom sees less of the sky than the flat part. No key light reaches either.
    let place = |p: Vec3| {
        let hollow = (-(p.x - 0.5).powi(2) / 0.008).exp();
        Vec3::new(p.x - 0.5, -0.5 * hollow, 0.5 - p.y)
    };
    let look = Look { light: Vec3::new(0.0, -1.0, 0.001), ..plain() };
    let camera = Camera::look_at(Vec3::new(0.0, 3.0, 0.01), Vec3::ZERO, Vec3::Y, perspective(0.4));
    let image = draw(&sheet, place, |_| 0.0, &camera, &look, [96, 96]);
    let (bottom, flat) = (image.at(48, 48), image.at(75, 48));
    assert!(brightness(flat) > brightness(bottom) + 40, "flat {flat:?}, bottom {bottom:?}");
}

#[test]
fn springs_are_drawn_as_lines_with_gaps() {
    let sheet = model(sheet(5));
    let look = Look { mode: Mode::Springs, ..plain() };
    let image = draw(&sheet, |p| p, |_| 0.0, &facing(3.0), &look, [320, 240]);
    let empty = draw(&sheet, |p| p + 100.0 * Vec3::Z, |_| 0.0, &facing(3.0), &look, [320, 240]);
    let count = (0..320 * 240)
        .filter(|i| difference(image.at(i % 320, i / 320), empty.at(i % 320, i / 320)) > 30)
        .count();
    // The sheet covers 129 * 129 pixels; five lines each way and diagonals, a pixel or two wide.
    assert!((800..8000).contains(&count), "{count} pixels are covered");
    let none = Look { families: [false; 4], ..look };
    let hidden = draw(&sheet, |p| p, |_| 0.0, &facing(3.0), &none, [320, 240]);
    assert_eq!(hidden, empty, "families that are switched off are not drawn");
}

#[test]
fn a_rope_is_visible_in_every_mode() {
    let rope = model(rope(33));
    for mode in Mode::ALL {
        let look = Look { mode, ..plain() };
        let at = |p: Vec3| p + Vec3::Y * 0.5;
        let image = draw(&rope, at, |_| 0.0, &facing(3.0), &look, [160, 120]);
        let empty = draw(&rope, |p| p + 100.0 * Vec3::Z, |_| 0.0, &facing(3.0), &look, [160, 120]);
        let seen = (0..120).any(|y| difference(image.at(80, y), empty.at(80, y)) > 60);
        assert!(seen, "no rope in mode {}", mode.name());
    }
}

#[test]
fn stretch_is_colored_and_has_a_legend() {
    let sheet = model(sheet(9));
    let look = Look { mode: Mode::Stretch, stretch_scale: 0.1, ..plain() };
    // The lower half is relaxed, the upper half is stretched by as much as the scale shows.
    let stretch = |i: usize| if i < 9 * 4 { 0.0 } else { 0.1 };
    let image = draw(&sheet, |p| p, stretch, &facing(3.0), &look, [320, 240]);
    let (low, high) = (image.at(160, 170), image.at(160, 70));
    let [_, g, b] = low.map(i32::from);
    assert!(b > g + 30, "relaxed is violet: {low:?}");
    let [r, g, b] = high.map(i32::from);
    assert!(r > b + 60 && g > b + 60, "stretched is yellow: {high:?}");
    // The bar runs from violet to yellow near the lower right corner.
    let violet = |c: [u8; 3]| i32::from(c[2]) > i32::from(c[1]) + 40;
    let row = (0..240).rev().find(|&y| violet(image.at(174, y)));
    let row = row.expect("the left end of the legend's bar");
    let yellow = (174..310).any(|x| {
        let [r, g, b] = image.at(x, row);
        r > 200 && g > 180 && b < 120
    });
    assert!(yellow, "the right end of the legend's bar in row {row}");
}

#[test]
fn a_picture_is_written_whole_and_read_back() {
    let sheet = model(sheet(5));
    let image = draw(&sheet, |p| p, |_| 0.0, &facing(3.0), &plain(), [65, 33]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    image.save_png(&path).unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (65, 33));
    assert_eq!(&pixels[3 * (65 * 16 + 32)..][..3], &image.at(32, 16));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no partial file is left");
    assert!(image.save_png(folder.path().join("missing").join("picture.png")).is_err());
}

#[test]
fn a_size_that_no_texture_can_have_is_an_error() {
    let sheet = model(sheet(3));
    let gpu = Gpu::open(&GpuOptions::default()).unwrap();
    let surface = Surface::new(&gpu, &sheet).unwrap();
    let positions = Buffer::zeroed(&gpu, "positions", 9, Usage::empty()).unwrap();
    let stretch = Buffer::zeroed(&gpu, "stretch", 9, Usage::empty()).unwrap();
    let scene = Scene {
        model: &sheet,
        positions: &positions,
        stretch: &stretch,
        nearness: None,
        surface: &surface,
        time: 0.0,
    };
    let mut renderer = Renderer::new(&gpu, &sheet, Renderer::IMAGE_FORMAT).unwrap();
    for size in [[0, 10], [10, 1_000_000]] {
        let picture = renderer.render_to_image(&gpu, &scene, &facing(3.0), &plain(), size[0], size[1]);
        assert!(matches!(picture, Err(taffeta::Error::Argument(_))), "{size:?}");
    }
}

fn ball(center: Vec3, radius: f32) -> Collider {
    Collider::new(ColliderShape::Sphere { center, radius })
}

fn plane(point: Vec3, normal: Vec3) -> Collider {
    Collider::new(ColliderShape::Plane { point, normal })
}

/// A sheet of 9 x 9 nodes among colliders.
fn among(colliders: &[Collider]) -> Model {
    let mut builder = ModelBuilder::new();
    builder.add(sheet(9));
    colliders.iter().for_each(|c| {
        builder.collide(c.clone());
    });
    builder.build().unwrap()
}

/// The pixel of a picture of 160 x 120 in which `camera` sees a point.
fn pixel(image: &Image, camera: &Camera, p: Vec3) -> [u8; 3] {
    let c = camera.view_projection(160.0 / 120.0) * p.extend(1.0);
    image.at((80.0 + 80.0 * c.x / c.w) as u32, (60.0 - 60.0 * c.y / c.w) as u32)
}

#[test]
fn solids_hide_and_are_hidden_in_their_outlines() {
    let (start, end) = (Vec3::new(-0.1, 0.0, 0.0), Vec3::new(0.1, 0.0, 0.0));
    let forms = [
        (ColliderShape::Sphere { center: Vec3::ZERO, radius: 0.2 }, [0.19, 0.19]),
        (
            ColliderShape::Box {
                center: Vec3::ZERO,
                size: Vec3::new(0.2, 0.4, 0.1),
                rotation: glam::Quat::IDENTITY,
            },
            [0.09, 0.19],
        ),
        (ColliderShape::Capsule { start, end, radius: 0.1 }, [0.19, 0.09]),
    ];
    let camera = facing(3.0);
    let picture = |model: &Model| draw(model, |p| p, |_| 0.0, &camera, &plain(), [160, 120]);
    let bare = picture(&among(&[]));
    for (shape, [right, up]) in forms {
        let at = |offset: Vec3| {
            let path = Path::new(vec![(0.0, Vec3::new(0.5, 0.5, 0.0) + offset)]).unwrap();
            picture(&among(&[Collider { path, ..Collider::new(shape) }]))
        };
        let (front, behind) = (at(Vec3::Z * 0.3), at(Vec3::Z * -0.3));
        let middle = Vec3::new(0.5, 0.5, 0.3);
        let changes = |image: &Image, p: Vec3| difference(pixel(image, &camera, p), pixel(&bare, &camera, p));
        for inside in [Vec3::ZERO, Vec3::X * right, Vec3::Y * up, Vec3::X * -right, Vec3::Y * -up] {
            assert!(changes(&front, middle + inside) > 60, "{shape:?}: no solid at {inside}");
            assert!(changes(&behind, middle + inside) < 30, "{shape:?} is seen through the sheet");
        }
        for outside in [Vec3::X * (right + 0.04), Vec3::Y * -(up + 0.04)] {
            // Its shadow and its shade fall there, at most.
            let [r, _, b] = pixel(&front, &camera, middle + outside).map(i32::from);
            assert!(b > r + 20, "{shape:?} reaches to {outside}");
        }
    }
}

#[test]
fn solids_and_sheets_cast_shadows_on_each_other_and_the_ground() {
    let look = Look { light: Vec3::Y, ground_height: Some(0.0), ..Look::default() };
    let camera =
        Camera::look_at(Vec3::new(0.0, 2.5, 4.0), Vec3::ZERO, Vec3::Y, Projection::Perspective { fov: 0.8 });
    let aside = |p: Vec3| Vec3::new(p.x - 2.0, 0.5, p.y - 0.5);
    let above = |p: Vec3| Vec3::new(p.x - 0.5, 2.0, p.y - 0.5);
    let ball = among(&[ball(Vec3::Y * 0.6, 0.3)]);
    let lit = draw(&ball, aside, |_| 0.0, &camera, &look, [160, 120]);
    let (shadow, ground) = (Vec3::new(0.1, 0.0, 0.1), Vec3::new(0.8, 0.0, 0.1));
    let [dark, bright] = [shadow, ground].map(|p| brightness(pixel(&lit, &camera, p)));
    assert!(bright > dark + 90, "lit {bright}, in the ball's shadow {dark}");
    // The sheet between the ball and the light.
    let hidden = draw(&ball, above, |_| 0.0, &camera, &look, [160, 120]);
    let top = Vec3::new(0.0, 0.85, 0.17);
    let [dark, bright] = [&hidden, &lit].map(|image| brightness(pixel(image, &camera, top)));
    assert!(bright > dark + 90, "top of the ball: lit {bright}, in the sheet's shadow {dark}");
    // The ball between the sheet and the light.
    let below = |p: Vec3| Vec3::new(p.x - 0.5, 0.1, p.y - 0.5);
    let image = draw(&ball, below, |_| 0.0, &camera, &look, [160, 120]);
    let [dark, bright] = [Vec3::new(0.0, 0.1, 0.15), Vec3::new(0.42, 0.1, 0.42)];
    let [dark, bright] = [dark, bright].map(|p| brightness(pixel(&image, &camera, p)));
    assert!(bright > dark + 90, "sheet: lit {bright}, in the ball's shadow {dark}");
}

#[test]
fn turning_and_moving_solids_follow_the_time() {
    let camera = facing(3.0);
    let still = ball(Vec3::new(0.5, 0.5, 0.6), 0.3);
    let at = |collider: &Collider, time: f64| {
        let model = among(std::slice::from_ref(collider));
        draw_at(time, &model, |p| p, |_| 0.0, &camera, &plain(), [160, 120])
    };
    let changed = |collider: &Collider| {
        let images = [at(collider, 0.0), at(collider, 0.3)];
        let pixels = (0..160 * 120).map(|i| images.each_ref().map(|image| image.at(i % 160, i / 160)));
        pixels.filter(|[a, b]| difference(*a, *b) > 12).count()
    };
    assert_eq!(changed(&still), 0);
    assert!(changed(&Collider { spin: Vec3::Y, ..still.clone() }) > 100);
    let path = Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::X)]).unwrap();
    assert!(changed(&Collider { path, ..still }) > 300);
}

#[test]
fn the_highest_level_plane_is_the_ground() {
    let camera = Camera::look_at(
        Vec3::new(0.5, 1.0, 4.0),
        Vec3::new(0.5, 0.0, 0.0),
        Vec3::Y,
        Projection::Perspective { fov: 0.8 },
    );
    let look = Look::default();
    let path = Path::new(vec![(0.0, Vec3::ZERO), (1.0, Vec3::Y * 0.1)]).unwrap();
    let floor = Collider { path, ..plane(Vec3::Y * -0.3, Vec3::Y) };
    let model = among(&[plane(Vec3::Y * -0.4, Vec3::Y * 3.0), floor]);
    for (time, height) in [(0.0, -0.3), (1.0, -0.2)] {
        let image = draw_at(time, &model, |p| p, |_| 0.0, &camera, &look, [160, 120]);
        let named = Look { ground_height: Some(height), ..Look::default() };
        let same = draw(&among(&[]), |p| p, |_| 0.0, &camera, &named, [160, 120]);
        assert!(image == same, "not as a ground at {height}");
    }
    // One on a slope is drawn beside the ground.
    let slope = among(&[plane(Vec3::ZERO, Vec3::new(0.5, 1.0, 0.0))]);
    let bare = draw(&among(&[]), |p| p, |_| 0.0, &camera, &look, [160, 120]);
    let image = draw(&slope, |p| p, |_| 0.0, &camera, &look, [160, 120]);
    let at = Vec3::new(-0.2, 0.1, 0.3);
    let change = difference(pixel(&image, &camera, at), pixel(&bare, &camera, at));
    assert!(change > 10, "the slope changes {change}");
}

#[test]
fn solids_are_drawn_faintly_among_springs() {
    let model = among(&[ball(Vec3::new(0.5, 0.5, 0.6), 0.3)]);
    let look = Look { mode: Mode::Springs, ..plain() };
    let picture = |model: &Model| draw(model, |p| p, |_| 0.0, &facing(3.0), &look, [160, 120]);
    let (with, without) = (picture(&model), picture(&among(&[])));
    let covered: Vec<i32> = (0..160 * 120)
        .map(|i| difference(with.at(i % 160, i / 160), without.at(i % 160, i / 160)))
        .filter(|change| *change > 6)
        .collect();
    assert!(covered.len() > 1000, "{} pixels change", covered.len());
    // The springs behind it are seen through it.
    let contrast = (60..100).map(|x| brightness(with.at(x, 60)));
    let (dark, bright) = (contrast.clone().min().unwrap(), contrast.max().unwrap());
    assert!(bright > dark + 60, "from {dark} to {bright}");
}

/// Every pass of a picture, on the validating backend with WebGPU's default limits.
#[test]
fn a_million_nodes_fit_the_default_limits() {
    let mut body = sheet(2);
    let n = 1000u32;
    body.rest_position = (0..n * n).map(|i| Vec3::new((i % n) as f32, (i / n) as f32, 0.0) * 1e-3).collect();
    body.mass = vec![1e-6; body.rest_position.len()];
    let cells = (0..n * n).filter(|i| i % n + 1 < n && i / n + 1 < n);
    body.triangles = cells.flat_map(|i| [[i, i + 1, i + n + 1], [i, i + n + 1, i + n]]).collect();
    let spring = body.springs[0];
    // Six springs a node, as a fabric has.
    body.springs = (0..6 * (n * n - 1)).map(|k| Spring { nodes: [k / 6, k / 6 + 1], ..spring }).collect();
    let mut builder = ModelBuilder::new();
    builder.add(body);
    builder.collide(ball(Vec3::ZERO, 0.5));
    builder.collide(plane(Vec3::ZERO, Vec3::ONE));
    let million = builder.build().unwrap();
    let gpu = Gpu::noop().unwrap();
    let positions = Buffer::zeroed(&gpu, "positions", million.node_count(), Usage::empty()).unwrap();
    let stretch = Buffer::zeroed(&gpu, "stretch", million.node_count(), Usage::empty()).unwrap();
    let surface = Surface::new(&gpu, &million).unwrap();
    let scene = Scene {
        model: &million,
        positions: &positions,
        stretch: &stretch,
        nearness: None,
        surface: &surface,
        time: 0.0,
    };
    let mut renderer = Renderer::new(&gpu, &million, wgpu::TextureFormat::Bgra8Unorm).unwrap();
    let target = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 64, height: 48, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Bgra8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let view = target.create_view(&Default::default());
    for mode in Mode::ALL {
        let look = Look { mode, ..Look::default() };
        renderer.draw(&gpu, &scene, &facing(3.0), &look, &view, [64, 48]).unwrap();
    }
    gpu.wait().unwrap();
}
