// What suits the adapter. A graphics card has threads to spare, and waits longest where one load depends on another; a software driver
// has no threads to spare, and pays for every load. Results are the same bits on both.

override IS_WIDE: bool = false;

// So many entries of a list are loaded at once.
fn at_once() -> u32 {
    return select(1u, 4u, IS_WIDE);
}
