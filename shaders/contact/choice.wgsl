// Which of the triangles near a node are its slots', in `elements` of the importing file.
//!import contact/layers.wgsl
//!import contact/slots.wgsl

// Triangles of which a node's slots are chosen, by their distance: as many as there is room for at a time, of which those that would be
// chosen are kept when there are more.
const ROOM: u32 = 32u;
var<private> distances: array<f32, ROOM>;
var<private> numbers: array<u32, ROOM>;     // of elements
var<private> toward: array<u32, ROOM>;      // packed directions from the node
var<private> count: u32;

// Nearest first, and then by number, keeps triangles of other layers than those before.
fn choose() {
    var kept = 0u;
    for (var k = 0u; k < SLOTS && kept < count; k += 1u) {
        // The next one to the front of those that are left.
        var next = kept;
        for (var other = kept + 1u; other < count; other += 1u) {
            let is_nearer = distances[other] < distances[next]
                || (distances[other] == distances[next] && numbers[other] < numbers[next]);
            next = select(next, other, is_nearer);
        }
        let distance = distances[next];
        let number = numbers[next];
        let direction = toward[next];
        put(next, kept);
        distances[kept] = distance;
        numbers[kept] = number;
        toward[kept] = direction;
        kept += 1u;
        let layer = layer_of(elements[number].nodes);
        let left = count;
        count = kept;
        for (var other = kept; other < left; other += 1u) {
            let is_aside = dot(unpack4x8snorm(direction), unpack4x8snorm(toward[other])) < 0.0;
            if (is_aside || !are_same_layer(layer, layer_of(elements[numbers[other]].nodes))) {
                put(count, other);
                count += 1u;
            }
        }
    }
    count = kept;
}

fn put(k: u32, other: u32) {
    distances[k] = distances[other];
    numbers[k] = numbers[other];
    toward[k] = toward[other];
}
