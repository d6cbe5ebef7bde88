//! Panics of libraries that get input from outside, such as a damaged font or a window system that is gone, become errors.
//! Other panics continue.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// The crates whose panics are waited for.
    static WATCHED: Cell<&'static [&'static str]> = const { Cell::new(&[]) };
    /// What the last of them said.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does `work`; what one of `crates` panics with on this thread is returned, and not printed.
pub(crate) fn catch<T>(crates: &'static [&'static str], work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    // Once and for good: a hook that came and went would meet those of other threads.
    HOOK.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |info| match is_watched(info) {
            true => SAID.set(Some(message(info.payload()))),
            false => others(info),
        }));
    });
    let before = WATCHED.replace(crates);
    let done = catch_unwind(AssertUnwindSafe(work));
    WATCHED.set(before);
    done.map_err(|panic| SAID.take().unwrap_or_else(|| resume_unwind(panic)))
}

/// Whether it comes from the source of a watched crate, whose folder has its name and version.
fn is_watched(info: &PanicHookInfo<'_>) -> bool {
    let file = info.location().map_or("", |at| at.file());
    let is_in = |name: &&str| file.split(['/', '\\']).any(|part| is_version_of(part, name));
    WATCHED.get().iter().any(is_in)
}

fn is_version_of(folder: &str, name: &str) -> bool {
    let version = folder.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

fn message(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason given").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_of_others_go_on() {
        let outer = catch_unwind(|| catch(&["winit"], || panic!("of our own")));
        assert_eq!(message(&*outer.unwrap_err()), "of our own");
        assert_eq!(catch(&["winit"], || 3), Ok(3));
    }

    #[test]
    fn crates_are_told_apart_by_their_folders() {
        assert!(is_version_of("winit-0.30.13", "winit"));
        assert!(!is_version_of("winit-core-0.1.0", "winit") && !is_version_of("winit", "winit"));
    }
}
