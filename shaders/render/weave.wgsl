// A plain weave, faded out where a thread is smaller than a pixel.
//!import render/view.wgsl

struct Weave {
    slope: vec2f, // of the threads' surface along the fabric's two directions
    tone: f32,    // factor on the color
}

fn hash(x: f32) -> f32 {
    return fract(sin(x * 12.9898) * 43758.5453);
}

// Threads differ a little in color: noise along the thread, smooth over `length` threads.
fn slub(thread: f32, along: f32) -> f32 {
    let cell = floor(along);
    let f = smoothstep(0.0, 1.0, along - cell);
    return mix(hash(thread * 7.13 + cell), hash(thread * 7.13 + cell + 1.0), f) - 0.5;
}

// `place`: position in the flat fabric [m]; `footprint`: threads per pixel.
fn weave(place: vec2f, footprint: f32) -> Weave {
    let q = place / view.thread;
    let cell = floor(q);
    let f = q - cell - 0.5;
    let over = fract(0.5 * (cell.x + cell.y)) > 0.25;
    // The thread on top is a cylinder across its width that dives under its neighbors along its length.
    let across = select(f.x, f.y, over);
    let along = select(f.y, f.x, over);
    let slope = vec2f(1.2 * across, 0.8 * along);
    let gap = 1.0 - 0.42 * pow(abs(2.0 * across), 3.0) - 0.5 * along * along;
    let thread = select(cell.x, cell.y + 517.0, over);
    let run = select(q.y, q.x, over) / 9.0;
    let fine = 1.0 - smoothstep(0.14, 0.42, footprint);
    let coarse = 1.0 - smoothstep(0.4, 1.2, footprint);
    // Fibers twisted into the thread.
    let fiber = 1.0 - smoothstep(0.03, 0.1, footprint);
    let twist = 0.07 * fiber * sin(6.2831853 * (3.0 * across + 1.5 * along + hash(thread)));
    let tone = mix(1.0, gap + 0.12 + twist, fine) * (1.0 + 0.16 * slub(thread, run) * coarse);
    return Weave(fine * select(slope, slope.yx, over), tone);
}
