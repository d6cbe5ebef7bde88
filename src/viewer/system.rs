//! The window system may go while a window is open: a remote session ends, an X server is killed. winit then panics,
//! wherever it is.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Arc;

thread_local! {
    /// What winit said when it gave up.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does `work`; what winit panics with comes back as an error, any other panic goes on.
pub fn watch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = Arc::new(take_hook());
    let others = Arc::clone(&before);
    set_hook(Box::new(move |info| match is_of_winit(info) {
        true => SAID.with_borrow_mut(|said| *said = Some(message(info.payload()))),
        false => others(info),
    }));
    let done = catch_unwind(AssertUnwindSafe(work));
    // The hook as it was; a second one around it does no harm.
    drop(take_hook());
    set_hook(Box::new(move |info| before(info)));
    done.map_err(|panic| SAID.with_borrow_mut(Option::take).unwrap_or_else(|| resume_unwind(panic)))
}

fn is_of_winit(info: &PanicHookInfo<'_>) -> bool {
    info.location().is_some_and(|at| at.file().contains("/winit-") || at.file().contains("\\winit-"))
}

fn message(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_panics_go_on() {
        let outer = catch_unwind(|| watch(|| panic!("of our own")));
        assert_eq!(message(&*outer.unwrap_err()), "of our own");
        assert_eq!(watch(|| 3), Ok(3));
    }
}
