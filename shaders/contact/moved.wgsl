// How far the node of a pair has moved in a substep more than the other side. `moved`, that of a node, is declared by the file that imports this.

fn moved_against(v: u32, t: vec3u, w: vec3f) -> vec3f {
    return moved(v) - w.x * moved(t.x) - w.y * moved(t.y) - w.z * moved(t.z);
}
