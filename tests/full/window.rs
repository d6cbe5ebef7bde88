//! The window, opened by the built program on a virtual screen and used as a person does.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use taffeta::render::Image;

use crate::common::hands::{ESCAPE, Hands, LEFT};
use crate::common::program::Place;
use crate::common::screen::Screen;

/// Cloth at rest without gravity: what changes in the picture has been done to it.
const SCENE: &str = r#"
name = "at-rest"
[world]
gravity = [0.0, 0.0, 0.0]
[[body]]
shape = "cloth"
corner = [0.0, 1.0, 0.0]
u = [1.0, 0.0, 0.0]
v = [0.0, -1.0, 0.0]
columns = 12
rows = 12
fabric = { density = 0.2, tensile = 100, shear = 20 }
[[body.pin]]
edge = "top"
"#;

/// A sheet that falls on a held one.
const TOUCHING: &str = r#"
name = "touching"
[[body]]
shape = "cloth"
corner = [0.0, 0.5, 0.0]
u = [1.0, 0.0, 0.0]
v = [0.0, 0.0, 1.0]
columns = 12
rows = 12
fabric = { density = 0.2, tensile = 100 }
[[body.pin]]
edge = "top"
[[body.pin]]
edge = "bottom"
[[body]]
shape = "cloth"
corner = [0.3, 0.65, 0.3]
u = [0.4, 0.0, 0.0]
v = [0.0, 0.0, 0.4]
columns = 6
rows = 6
fabric = { density = 0.2, tensile = 100 }
"#;

/// Color of warnings on the panel.
const YELLOW: [u8; 3] = [240, 200, 90];

/// The window's size, small: the software driver draws it.
const SIZE: [u32; 2] = [640, 400];

/// Columns of the picture that the panel does not cover.
const FREE: [u32; 2] = [290, SIZE[0]];

fn open(screen: &Screen, place: &Place, arguments: &str) -> (Child, Hands) {
    let mut view = place.command(&format!("view scene.toml {arguments}"));
    let view = screen.show(&mut view).stderr(Stdio::piped()).spawn().unwrap();
    let hands = Hands::at(&screen.display);
    hands.wait_for_title("the first picture", |title| title.contains("fps"));
    hands.resize(SIZE[0], SIZE[1]);
    hands.focus();
    settled(&hands, SIZE);
    (view, hands)
}

/// What the window shows, in this size, when all that was asked for has been drawn.
fn settled(hands: &Hands, size: [u32; 2]) -> Image {
    // A few pictures; a title such as "name - 12 fps, 83.3 ms" has the time of one.
    let title = hands.title();
    let millis = title.rsplit_once(" ms").and_then(|(before, _)| before.rsplit_once(' ')?.1.parse().ok());
    std::thread::sleep(Duration::from_secs_f64(0.6 + 6e-3 * millis.unwrap_or(100.0)));
    hands.wait_for("a picture of that size", |picture| {
        [picture.width, picture.height] == size && picture.at(size[0] - 1, size[1] - 1) != [0; 3]
    })
}

/// That the program ends, well and without a word of complaint.
fn closed(mut view: Child) {
    let begun = Instant::now();
    while view.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            view.kill().unwrap();
            panic!("the window does not close");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let ended = view.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{told}");
    assert!(!told.contains("panicked") && !told.contains("error: "), "{told}");
}

/// Parts of the pixels between two columns that are others.
fn change(before: &Image, after: &Image, [from, to]: [u32; 2]) -> f64 {
    let is_other = |(x, y)| before.at(x, y).iter().zip(after.at(x, y)).any(|(a, b)| a.abs_diff(b) > 12);
    let pixels = (from..to).flat_map(|x| (0..before.height).map(move |y| (x, y)));
    pixels.filter(|pixel| is_other(*pixel)).count() as f64 / f64::from((to - from) * before.height)
}

/// Waits until that much of the picture has changed between two columns, and returns the picture.
fn wait_for_change(hands: &Hands, before: &Image, columns: [u32; 2], least: f64, what: &str) -> Image {
    hands.wait_for(what, |after| {
        after.pixels.len() == before.pixels.len() && change(before, after, columns) > least
    })
}

/// Leaves a picture for whoever wants to see what a test saw.
fn keep(picture: &Image, name: &str) {
    picture.save_png(format!("{}/{name}.png", env!("CARGO_TARGET_TMPDIR"))).unwrap();
}

#[test]
fn a_window_opens_obeys_keys_and_mouse_and_closes() {
    let Some(screen) = Screen::open() else { return };
    let place = Place::with_scene(SCENE);
    let (view, hands) = open(&screen, &place, "");
    let [x, y] = [SIZE[0] as i16 * 3 / 5, SIZE[1] as i16 / 2];

    // Keys: other ways to see it, the camera, a pause.
    let surface = settled(&hands, SIZE);
    hands.key('2'.into());
    let springs = wait_for_change(&hands, &surface, FREE, 0.03, "the springs");
    hands.key('1'.into());
    wait_for_change(&hands, &springs, FREE, 0.03, "the surface");
    hands.wait_for("the surface as it was", |after| change(&surface, after, FREE) < 0.01);
    for _ in 0..5 {
        hands.key(LEFT);
    }
    wait_for_change(&hands, &surface, FREE, 0.03, "another view");
    hands.key(' '.into());
    hands.wait_for_title("a pause", |title| title.ends_with(", paused"));
    hands.key(' '.into());
    hands.wait_for_title("its end", |title| !title.ends_with(", paused"));

    // On the panel the mouse neither pulls nor turns, however fast it came there.
    let before = settled(&hands, SIZE);
    hands.point(150, 130);
    hands.press();
    for step in 1..=5 {
        hands.point(150 + 10 * step, 130);
    }
    hands.release();
    let after = settled(&hands, SIZE);
    assert!(change(&before, &after, FREE) < 0.01, "what was done on the panel went through it");

    // Beside it, what is pulled comes along, and goes back when it is let go.
    hands.point(x, y);
    hands.press();
    for step in 1..=10 {
        hands.point(x + 12 * step, y + 6 * step);
    }
    let pulled = wait_for_change(&hands, &before, FREE, 0.03, "the pull");
    keep(&pulled, "window-pulled");
    hands.release();
    hands.key('r'.into());
    hands.wait_for("the start", |after| change(&before, after, FREE) < 0.01);

    // Other sizes, both ways.
    for [width, height] in [[800, 300], SIZE] {
        hands.resize(width, height);
        settled(&hands, [width, height]);
    }
    hands.close();
    closed(view);
}

#[test]
fn two_solvers_are_shown_beside_each_other_and_one_is_pulled() {
    let Some(screen) = Screen::open() else { return };
    let place = Place::with_scene(SCENE);
    let (view, hands) = open(&screen, &place, "--solvers newton-multigrid,xpbd");
    let [width, height] = SIZE.map(|pixels| pixels as i16);
    let before = settled(&hands, SIZE);
    keep(&before, "window-two-solvers");
    hands.point(width * 3 / 4, height / 2);
    hands.press();
    for step in 1..=10 {
        hands.point(width * 3 / 4 + 6 * step, height / 2 + 6 * step);
    }
    let pulled = wait_for_change(&hands, &before, [SIZE[0] / 2, SIZE[0]], 0.03, "the pull");
    // In the other picture only the caption may have changed.
    assert!(change(&before, &pulled, [0, SIZE[0] / 2]) < 0.01, "both were pulled");
    hands.release();
    hands.key(ESCAPE);
    closed(view);
    // Another window with another solver, on the same screen. Folds may knot with it, and it says so once surfaces touch.
    let place = Place::with_scene(TOUCHING);
    let (view, hands) = open(&screen, &place, "--solver xpbd --paused");
    hands.wait_for_title("a pause", |title| title.ends_with(", paused"));
    let is_yellow =
        |picture: &Image, (x, y)| picture.at(x, y).iter().zip(YELLOW).all(|(a, b)| a.abs_diff(b) < 30);
    let warns = |picture: &Image| {
        let pixels = (0..FREE[0]).flat_map(|x| (0..SIZE[1]).map(move |y| (x, y)));
        pixels.filter(|pixel| is_yellow(picture, *pixel)).count() > 30
    };
    assert!(!warns(&settled(&hands, SIZE)), "a warning before anything touches");
    hands.key(' '.into());
    keep(&hands.wait_for("a warning", warns), "window-warning");
    // From the start, where it stays.
    hands.key(' '.into());
    hands.wait_for_title("a pause", |title| title.ends_with(", paused"));
    hands.key('r'.into());
    hands.wait_for("the start without it", |picture| !warns(picture));
    hands.key(ESCAPE);
    closed(view);
}
