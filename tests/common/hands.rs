//! Eyes and hands of a user at a window: its title and picture, keys, the mouse, its size, and closing it.

use std::io::IoSlice;
use std::time::{Duration, Instant};

use taffeta::render::Image;
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, ImageFormat, InputFocus,
    Window,
};
use x11rb::rust_connection::RustConnection;

/// How long anything may take to show.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// Codes of events in the XTEST extension, which are those of the core protocol.
const KEY_PRESS: u8 = 2;
const BUTTON_PRESS: u8 = 4;
const MOTION: u8 = 6;

/// Keys without a letter, as X names them.
pub const ESCAPE: u32 = 0xff1b;
pub const LEFT: u32 = 0xff51;

pub struct Hands {
    connection: RustConnection,
    root: Window,
    xtest: u8,
    window: Window,
}

impl Hands {
    /// Waits for the window of `taffeta view`.
    pub fn at(display: &str) -> Self {
        let (connection, screen) = x11rb::connect(Some(display)).unwrap();
        let root = connection.setup().roots[screen].root;
        let xtest = connection.query_extension(b"XTEST").unwrap().reply().unwrap();
        assert!(xtest.present, "this screen has no XTEST");
        let mut hands = Self { connection, root, xtest: xtest.major_opcode, window: root };
        hands.window = wait("the window", || hands.windows().into_iter().find(|w| hands.is_ours(*w)));
        hands
    }

    fn windows(&self) -> Vec<Window> {
        self.connection.query_tree(self.root).unwrap().reply().unwrap().children
    }

    fn is_ours(&self, window: Window) -> bool {
        self.title_of(window).starts_with("taffeta: ")
    }

    fn title_of(&self, window: Window) -> String {
        let name = self.connection.intern_atom(false, b"_NET_WM_NAME").unwrap().reply().unwrap().atom;
        let property = self.connection.get_property(false, window, name, AtomEnum::ANY, 0, 1000).unwrap();
        // Windows come and go.
        property.reply().map_or_else(|_| String::new(), |p| String::from_utf8_lossy(&p.value).into_owned())
    }

    pub fn title(&self) -> String {
        self.title_of(self.window)
    }

    /// Waits until the title is so.
    pub fn wait_for_title(&self, what: &str, is_so: impl Fn(&str) -> bool) {
        wait(what, || is_so(&self.title()).then_some(()));
    }

    /// Waits until so many windows of the program have a title with these words.
    pub fn wait_for_windows(&self, count: usize, words: &str) {
        let are_so =
            || self.windows().into_iter().filter(|w| self.is_ours(*w) && self.title_of(*w).contains(words));
        wait("windows with their titles", || (are_so().count() >= count).then_some(()));
    }

    /// Waits until the picture is so, and returns it.
    pub fn wait_for(&self, what: &str, is_so: impl Fn(&Image) -> bool) -> Image {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(picture) = self.picture().filter(&is_so) {
                return picture;
            }
            std::thread::sleep(PAUSE);
        }
        // What there is instead, for whoever has to find out why.
        let last = format!("{}/window-without-{}.png", env!("CARGO_TARGET_TMPDIR"), what.replace(' ', "-"));
        let kept = self.picture().map(|picture| picture.save_png(&last));
        panic!("{what} does not come; title: {}; picture: {last} ({kept:?})", self.title());
    }

    /// What the window shows; nothing while it changes its size.
    pub fn picture(&self) -> Option<Image> {
        let size = self.connection.get_geometry(self.window).unwrap().reply().ok()?;
        let (width, height) = (size.width, size.height);
        let image = self.connection.get_image(ImageFormat::Z_PIXMAP, self.window, 0, 0, width, height, !0);
        let data = image.unwrap().reply().ok()?.data;
        let pixels = data.chunks_exact(4).flat_map(|p| [p[2], p[1], p[0], 255]).collect();
        Some(Image { width: width.into(), height: height.into(), pixels })
    }

    /// Lets the window have the keyboard, as a window manager would.
    pub fn focus(&self) {
        let given = self.connection.set_input_focus(InputFocus::PARENT, self.window, x11rb::CURRENT_TIME);
        given.unwrap().check().unwrap();
    }

    /// Presses and releases a key: a letter or digit by its own code, others as X names them.
    pub fn key(&self, symbol: u32) {
        let (first, last) = (self.connection.setup().min_keycode, self.connection.setup().max_keycode);
        let mapping = self.connection.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let mut keys = mapping.keysyms.chunks(mapping.keysyms_per_keycode.into());
        let key = keys.position(|symbols| symbols.contains(&symbol)).expect("a key for it");
        for kind in [KEY_PRESS, KEY_PRESS + 1] {
            self.fake(kind, first + key as u8, [0, 0]);
        }
    }

    /// Moves the mouse to a place in the window.
    pub fn point(&self, x: i16, y: i16) {
        self.fake(MOTION, 0, [x, y]);
    }

    pub fn press(&self) {
        self.fake(BUTTON_PRESS, 1, [0, 0]);
    }

    pub fn release(&self) {
        self.fake(BUTTON_PRESS + 1, 1, [0, 0]);
    }

    /// FakeInput of XTEST, by hand: the library's own would have it, and so the whole program, compiled once more for tests.
    fn fake(&self, kind: u8, detail: u8, [x, y]: [i16; 2]) {
        let mut request = [0; 36];
        request[..2].copy_from_slice(&[self.xtest, 2]);
        request[2..4].copy_from_slice(&9u16.to_ne_bytes());
        request[4..6].copy_from_slice(&[kind, detail]);
        request[12..16].copy_from_slice(&self.root.to_ne_bytes());
        request[24..26].copy_from_slice(&x.to_ne_bytes());
        request[26..28].copy_from_slice(&y.to_ne_bytes());
        let sent = self.connection.send_request_without_reply(&[IoSlice::new(&request)], Vec::new());
        sent.unwrap().check().unwrap();
        // A person is slower than a program, and windows look at the mouse once a picture.
        std::thread::sleep(Duration::from_millis(30));
    }

    pub fn resize(&self, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().x(0).y(0).width(width).height(height);
        self.connection.configure_window(self.window, &size).unwrap().check().unwrap();
    }

    /// Clicks on the cross that a window manager would have drawn.
    pub fn close(&self) {
        let atom = |name| self.connection.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let (protocols, delete) = (atom(b"WM_PROTOCOLS"), atom(b"WM_DELETE_WINDOW"));
        let event = ClientMessageEvent::new(32, self.window, protocols, [delete, 0, 0, 0, 0]);
        self.connection.send_event(false, self.window, EventMask::NO_EVENT, event).unwrap().check().unwrap();
    }
}

/// Asks now and then until there is an answer.
fn wait<T>(what: &str, ask: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(begun.elapsed() < PATIENCE, "{what} does not come");
        std::thread::sleep(PAUSE);
    }
}
