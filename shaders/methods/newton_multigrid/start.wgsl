// Where the iterations of a newton-multigrid substep begin: at x_0 + s h v. Where nodes fly past each other, x_0 + h v
// stretches springs to many times their length, and a few iterations leave so much of that energy that the body gains
// energy. So s is the first of 1, 1/2, 1/4, 1/8, 1/16 at which
//     E(s) = sum k/2 (l - r + s h n . (v_i - v_j))^2 <= MOST_GAIN (E(0) + sum m/2 (|v|^2 + |h g|^2)),
// with l and n at x_0. The stretch is of first order in s, because a body that turns gains stretch of second order at any
// start and loses it at once. k is rho where a spring has a multiplier, and counts as 1000 m/h^2 at most: stiffer springs
// keep a small stretch from the step before, which would shorten the start of bodies that hardly move. Springs at a pin do
// not count, because the body has no part in the motion of pins. Of a large body only a part of the nodes is summed.
//!import core/group_sum.wgsl
//!import core/launch.wgsl
//!import core/part_sum.wgsl
//!import forces/applied.wgsl
//!import forces/applied_in.wgsl
//!import methods/newton_multigrid/anchor_read.wgsl
//!import methods/newton_multigrid/nodes.wgsl

@group(2) @binding(3) var<storage, read_write> parts: array<vec4f>;
@group(2) @binding(6) var<storage, read_write> control_out: array<Control>;
@group(2) @binding(7) var<storage, read> velocity: array<vec4f>;

const MOST_GAIN: f32 = 20.0;
// k h^2 / m, with m the lighter end's mass.
const MOST_STIFF: f32 = 1000.0;
const LEAST_SHARE: f32 = 0.0625;

// Partial sums of k/2 (l - r)^2, k (l - r) c and k/2 c^2, with c = h n . (v_i - v_j), and of m/2 |v|^2; then of m.
// Reads position_in (x_0), velocity, the network; writes parts. One workgroup per part.
@compute @workgroup_size(WORKGROUP_SIZE)
fn add_energies(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let part = group.x + group.y * groups.x;
    let copy = part / sums_of_copy();
    let end = select(0u, copy_nodes(), copy < copies());
    let first = copy * copy_nodes();
    var total = vec4f(0.0);
    var mass = 0.0;
    let stride = stride_of_parts();
    for (var k = first_of_part(part, local); k < end; k += stride) {
        let i = first + k;
        if (position_in[i].w == 0.0) {
            continue;
        }
        mass += 1.0 / position_in[i].w;
        if (is_augmented(i)) {
            total += energies(i, true);
        } else {
            total += energies(i, false);
        }
    }
    let energies_of_part = part_sum(local, total);
    workgroupBarrier();
    let mass_of_part = part_sum(local, vec4f(mass));
    if (local == 0u && copy < copies()) {
        parts[2u * part] = energies_of_part;
        parts[2u * part + 1u] = mass_of_part;
    }
}

// Half the energy of each spring at the node, and the energy of the node itself.
fn energies(i: u32, augmented: bool) -> vec4f {
    let x = position_in[i];
    let v = velocity[i].xyz;
    let row = row_of(i);
    var sum = vec3f(0.0);
    for (var s = 0u; s < link_count(row); s += 1u) {
        var link = link_at(row, s);
        let other = position_in[link.node];
        // An empty slot has stiffness zero.
        if (link.node == i || other.w == 0.0) {
            continue;
        }
        link.penalty = select(0.0, penalty_of(i, s, link), augmented);
        let spring = extent(x.xyz - other.xyz, link.rest_length);
        let stretch = spring.length - link.rest_length;
        let change = world.step * dot(spring.direction, v - velocity[link.node].xyz);
        let most = MOST_STIFF / (max(x.w, other.w) * world.step * world.step);
        sum += 0.25 * min(rho_of(link), most) * vec3f(stretch * stretch, 2.0 * stretch * change, change * change);
    }
    return vec4f(sum, 0.5 / x.w * dot(v, v));
}

// Begins a substep: chooses s and, with a tolerance, resets the counts. Reads parts; writes control. One workgroup a copy.
@compute @workgroup_size(SUMMING)
fn begin(
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let copy = group.x + group.y * groups.x;
    if (copy >= copies()) {
        return;
    }
    var sums = vec4f(0.0);
    var masses = 0.0;
    let count = sums_of_copy();
    for (var k = local; k < count; k += SUMMING) {
        sums += parts[2u * (copy * count + k)];
        masses += parts[2u * (copy * count + k) + 1u].x;
    }
    let total = group_sum4(local, sums);
    let mass = group_sum(local, masses);
    if (local > 0u) {
        return;
    }
    let fall = world.step * surroundings(copy * copy_nodes()).gravity;
    let most = MOST_GAIN * (total.x + total.w + 0.5 * mass * dot(fall, fall));
    var share = 1.0;
    while (share > LEAST_SHARE && total.x + share * (total.y + share * total.z) > most) {
        share *= 0.5;
    }
    control_out[copy].start = share;
    control_out[copy].last = UNKNOWN;
    control_out[copy].used = 0u;
    control_out[copy].substeps += 1u;
}
