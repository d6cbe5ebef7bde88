//! Handles: soft pulls on nodes, scripted in the scene or held by a user.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::gpu::{Bindings, Bound, Buffer, Gpu, GpuError, HostStruct, Kernel, Pass, Usage, twin};
use crate::model::{Model, ScriptedHandle};

/// Most handles at once: the length of `displacement` in `forces/handles.wgsl`.
pub const MOST_HANDLES: usize = crate::numbers::MOST_HANDLES;

twin! {
    /// Host twin of WGSL `PulledNode`.
    struct PulledNode = "PulledNode" {
        node: u32,
        first: u32,
        count: u32,
    }
}

twin! {
    /// Host twin of WGSL `Pull`.
    struct Pull = "Pull" {
        grabbed_at: [f32; 3],
        stiffness: f32,
        handle: u32,
        padding: [u32; 3],
    }
}

/// Layouts compared with WGSL when the shader loads.
pub const HANDLE_STRUCTS: [&HostStruct; 3] = [
    &PulledNode::TWIN,
    &Pull::TWIN,
    &HostStruct { name: "Handles", size: size_of::<Displacements>(), fields: &[("displacement", 0)] },
];

/// Bytes of the list of pulls that the model's scripted handles need.
pub fn pull_bytes(model: &Model) -> u64 {
    let pulls: usize = model.handles().iter().map(|h| h.nodes.len()).sum();
    (pulls * size_of::<Pull>()) as u64
}

/// Displacement and activity of every handle at one time: WGSL `Handles`.
type Displacements = [[f32; 4]; MOST_HANDLES];

/// Identifies a grabbed handle. It is valid until the handle is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle(pub(super) u64);

/// A handle held by a user.
pub(super) struct Held {
    pub id: u64,
    /// For each node its place in memory, its position when it was grabbed, and the stiffness of its pull.
    pub nodes: Vec<(u32, Vec3, f32)>,
    /// The point of the pick, and its present target.
    pub picked: Vec3,
    pub target: Vec3,
    /// The target at the start of the frame, so that a move is spread over its substeps.
    pub last_target: Vec3,
}

/// All handles of a simulation.
pub struct Handles {
    scripted: Vec<(ScriptedHandle, Vec<Vec3>)>,
    pub(super) held: Vec<Held>,
    next_id: u64,
    kernel: Kernel,
    bindings: Bindings,
    /// One entry per substep, with the targets at its end.
    displacements: Buffer<Displacements>,
    bound: Option<(Bound, u32)>,
    stale: bool,
    moving: bool,
}

impl Handles {
    /// The scene's scripted handles, for frames of so many substeps at most.
    pub fn new(
        gpu: &Gpu,
        model: &Model,
        most_substeps: u32,
        kernel: Kernel,
        bindings: Bindings,
    ) -> Result<Self, GpuError> {
        let position = &model.initial_state().position;
        let at = |h: &ScriptedHandle| h.nodes.iter().map(|n| position[n.0 as usize]).collect();
        Ok(Self {
            scripted: model.handles().iter().map(|h| (h.clone(), at(h))).collect(),
            held: Vec::new(),
            next_id: 0,
            kernel,
            bindings,
            displacements: Buffer::zeroed(gpu, "handles", most_substeps as usize, Usage::UNIFORM)?,
            bound: None,
            stale: true,
            moving: false,
        })
    }

    /// Number of handles, scripted ones included.
    pub fn count(&self) -> usize {
        self.scripted.len() + self.held.len()
    }

    /// Adds a held handle.
    pub(super) fn hold(&mut self, nodes: Vec<(u32, Vec3, f32)>, picked: Vec3) -> Handle {
        let id = self.next_id;
        self.next_id += 1;
        self.held.push(Held { id, nodes, picked, target: picked, last_target: picked });
        self.stale = true;
        Handle(id)
    }

    /// Removes a held handle; `false` if it was released before.
    pub fn release(&mut self, handle: Handle) -> bool {
        let before = self.held.len();
        self.held.retain(|h| h.id != handle.0);
        self.stale |= self.held.len() != before;
        self.held.len() != before
    }

    /// Sum of the stiffnesses [N/m] with which held handles pull on each node.
    pub(super) fn held_stiffness(&self) -> BTreeMap<u32, f32> {
        let mut sums = BTreeMap::new();
        for &(node, _, stiffness) in self.held.iter().flat_map(|h| &h.nodes) {
            *sums.entry(node).or_insert(0.0) += stiffness;
        }
        sums
    }

    /// Moves the target of a held handle; `false` if it was released before.
    pub fn move_to(&mut self, handle: Handle, target: Vec3) -> bool {
        match self.held.iter_mut().find(|h| h.id == handle.0) {
            Some(held) => held.target = target,
            None => return false,
        }
        true
    }

    /// Uploads the data for the frame from `time` to `time + frame` \[s\] in so many substeps. Returns whether any handle acts.
    pub fn prepare(&mut self, gpu: &Gpu, time: f64, frame: f64, substeps: u32) -> Result<bool, GpuError> {
        if self.stale {
            self.rebuild(gpu)?;
        }
        if self.bound.is_none() {
            return Ok(false);
        }
        let substeps = substeps as usize;
        // In each substep a node is pulled to the target at the end of the substep.
        let end = |s: usize| self.at(time, frame, (s + 1) as f64 / substeps as f64);
        let moving = substeps > 1 && end(substeps - 1) != end(0);
        let all: Vec<Displacements> = (0..if moving { substeps } else { 1 }).map(end).collect();
        self.moving = moving;
        self.displacements.write(gpu, 0, &all);
        for held in &mut self.held {
            held.last_target = held.target;
        }
        Ok(true)
    }

    /// Records the gathering of pulls before substep `substep`, if needed.
    pub fn record(&self, pass: &mut Pass<'_>, substep: u32) {
        let Some((kernel, nodes)) = &self.bound else { return };
        if substep == 0 || self.moving {
            let offset = substep * size_of::<Displacements>() as u32;
            pass.dispatch_at(kernel, *nodes, &[offset]);
        }
    }

    /// Pulls at the end of fraction `part` of a frame: node, stiffness and target, for the f64 reference.
    pub fn pulls(&self, time: f64, frame: f64, part: f64) -> Vec<(u32, f32, Vec3)> {
        let displacements = self.at(time, frame, part);
        let mut pulls = Vec::new();
        self.each_pull(|handle, node, at, stiffness| {
            let d = displacements[handle];
            if d[3] > 0.0 {
                pulls.push((node, stiffness, at + Vec3::new(d[0], d[1], d[2])));
            }
        });
        pulls
    }

    fn at(&self, time: f64, frame: f64, part: f64) -> Displacements {
        let now = time + part * frame;
        let mut all: Displacements = [[0.0; 4]; MOST_HANDLES];
        for (entry, (handle, _)) in all.iter_mut().zip(&self.scripted) {
            // Half a microsecond of slack: times are sums of frame lengths.
            let active = now > handle.active.start - 5e-7 && now < handle.active.end + 5e-7;
            *entry = handle.path.at(now).extend(f32::from(u8::from(active))).to_array();
        }
        for (entry, held) in all[self.scripted.len()..].iter_mut().zip(&self.held) {
            let target = held.last_target + (held.target - held.last_target) * part as f32;
            *entry = (target - held.picked).extend(1.0).to_array();
        }
        all
    }

    /// Calls back with handle index, node, position when grabbed and stiffness of every pull.
    fn each_pull(&self, mut call: impl FnMut(usize, u32, Vec3, f32)) {
        for (index, (handle, at)) in self.scripted.iter().enumerate() {
            for (&(node, weight), &at) in handle.nodes.iter().zip(at) {
                call(index, node, at, weight * handle.stiffness);
            }
        }
        for (index, held) in self.held.iter().enumerate() {
            for &(node, at, stiffness) in &held.nodes {
                call(self.scripted.len() + index, node, at, stiffness);
            }
        }
    }

    /// Groups the pulls by node. From now on only listed nodes are written, so the caller must clear the pulls
    /// of released nodes.
    fn rebuild(&mut self, gpu: &Gpu) -> Result<(), GpuError> {
        let mut by_node: BTreeMap<u32, Vec<Pull>> = BTreeMap::new();
        self.each_pull(|handle, node, at, stiffness| {
            let (grabbed_at, handle) = (at.to_array(), handle as u32);
            by_node.entry(node).or_default().push(Pull { grabbed_at, stiffness, handle, padding: [0; 3] });
        });
        self.stale = false;
        self.bound = None;
        if by_node.is_empty() {
            return Ok(());
        }
        let (mut nodes, mut pulls) = (Vec::new(), Vec::new());
        for (node, list) in by_node {
            nodes.push(PulledNode { node, first: pulls.len() as u32, count: list.len() as u32 });
            pulls.extend(list);
        }
        let bindings = self
            .bindings
            .clone()
            .with("pulled_nodes", &Buffer::from_slice(gpu, "pulled_nodes", &nodes, Usage::empty())?)
            .with("pulls", &Buffer::from_slice(gpu, "pulls", &pulls, Usage::empty())?)
            .with("handles", &self.displacements);
        self.bound = Some((self.kernel.bind(gpu, &bindings)?, nodes.len() as u32));
        Ok(())
    }

    /// Makes the next frame upload everything again, because the buffers have another state.
    pub fn expire(&mut self) {
        self.stale = true;
    }

    /// Whether the list of pulled nodes changed since it was last uploaded.
    pub fn is_stale(&self) -> bool {
        self.stale
    }
}
