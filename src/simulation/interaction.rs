//! User interaction during a run: grab, pin, change gravity and wind.

use glam::{Vec3, Vec4};

use super::world::World;
use super::{Handle, MOST_HANDLES, Pick, Simulation, pick};
use crate::Error;
use crate::gpu::Reading;
use crate::settings::{Settings, SolverKind};

/// The positions of all nodes at the time of the request, used to find the node that a pick hits.
pub struct Positions(Vec<Vec3>);

impl Simulation {
    /// Takes hold of the nodes around a pick: f_i = weight_i stiffness (target_i - x_i), where the weight falls
    /// smoothly from one at the pick to zero at `radius` \[m\].
    ///
    /// The pull stops growing at a distance equal to the size of the body, and explicit solvers reduce the
    /// stiffness [N/m] to the stability limit of their step, so that no grab makes the run unstable. Returns
    /// `None` if the pick hits nothing. Several handles may be held at once. Waits for the positions.
    pub fn grab(&mut self, pick: &Pick, stiffness: f32, radius: f32) -> Result<Option<Handle>, Error> {
        let positions = self.ask_positions().wait()?;
        self.grab_at(&positions, pick, stiffness, radius)
    }

    /// Asks for the positions that [`Simulation::grab_at`] needs.
    pub fn ask_positions(&self) -> Reading<Positions> {
        let truncate = |all: Vec<Vec4>| Positions(all.into_iter().map(Vec4::truncate).collect());
        self.fields.position[0].ask(&self.gpu).map(truncate)
    }

    /// [`Simulation::grab`] with the positions at the time of [`Simulation::ask_positions`], some frames ago.
    pub fn grab_at(
        &mut self,
        positions: &Positions,
        pick: &Pick,
        stiffness: f32,
        radius: f32,
    ) -> Result<Option<Handle>, Error> {
        let usable = |x: f32| x.is_finite() && x > 0.0;
        if !usable(stiffness) || !usable(radius) {
            let message = "a handle's stiffness [N/m] and radius [m] must be finite numbers above zero";
            return Err(Error::Argument(message.to_owned()));
        }
        if self.handles.count() == MOST_HANDLES {
            return Err(Error::Argument(format!(
                "at most {MOST_HANDLES} handles at once; release one first"
            )));
        }
        // All of this, including the nodes of a handle, is in the order of the buffers.
        let position = &positions.0;
        if position.len() != self.model.node_count() {
            return Err(Error::Argument("these positions are those of another model".to_owned()));
        }
        let pick = match *pick {
            Pick::Node(node) => Pick::Node(self.model.order().place(node)),
            other => other,
        };
        let Some((at, node)) = pick::locate(self.model.in_memory(), position, &pick) else {
            return Ok(None);
        };
        let weights = pick::weights(position, at, radius, node);
        // The pulls of other held handles count, too: all of them together must be stable.
        let held = self.handles.held_stiffness();
        let nodes = weights.into_iter().map(|(i, weight)| {
            let most = self.largest_pull(i as usize) - held.get(&i).copied().unwrap_or(0.0);
            (i, position[i as usize], (weight * stiffness).min(most.max(0.0)))
        });
        Ok(Some(self.handles.hold(nodes.collect(), at)))
    }

    /// Moves a handle's target \[m\]; the grabbed nodes keep their places relative to it. In a planar simulation the
    /// target keeps its z.
    pub fn move_handle(&mut self, handle: Handle, mut target: Vec3) -> Result<(), Error> {
        if !target.is_finite() {
            return Err(Error::Argument(format!("the handle's target {target} is not finite")));
        }
        if let (true, Some(before)) = (self.settings.step.planar, self.handle_target(handle)) {
            target.z = before.z;
        }
        match self.handles.move_to(handle, target) {
            true => Ok(()),
            false => Err(Error::Argument("this handle was released".to_owned())),
        }
    }

    /// The target of a handle \[m\]: the point of the pick, until it is moved. `None` after it is released.
    pub fn handle_target(&self, handle: Handle) -> Option<Vec3> {
        self.handles.held.iter().find(|h| h.id == handle.0).map(|h| h.target)
    }

    /// Releases a handle.
    pub fn release(&mut self, handle: Handle) {
        self.handles.release(handle);
    }

    /// Changes gravity [m/s^2] from the next frame on.
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        self.change(|settings| settings.world.gravity = gravity)
    }

    /// Changes the wind's velocity [m/s] from the next frame on. It acts only if the settings have air.
    pub fn set_wind(&mut self, wind: Vec3) -> Result<(), Error> {
        self.change(|settings| settings.world.wind = wind)
    }

    /// Pins a node where it is, or releases it, from the next frame on.
    ///
    /// Fails if the step of an explicit solver is too long for the released node, which the stability limit
    /// did not include.
    pub fn set_pinned(&mut self, node: u32, pinned: bool) -> Result<(), Error> {
        let i = node as usize;
        if i >= self.model.node_count() {
            let last = self.model.node_count() - 1;
            return Err(Error::Argument(format!("no node {node} to pin; the nodes are 0 to {last}")));
        }
        let inverse_mass = if pinned { 0.0 } else { 1.0 / self.model.mass()[i] };
        if !pinned && !self.settings.step.force {
            self.check_release(node, f64::from(inverse_mass))?;
        }
        let place = self.model.order().place(node) as usize;
        // The inverse mass is after the three coordinates, which stay as they are.
        let at = (place * size_of::<Vec4>() + size_of::<Vec3>()) as u64;
        self.fields.position[0].write_bytes(&self.gpu, at, &inverse_mass.to_le_bytes());
        if pinned {
            self.fields.velocity[0].write(&self.gpu, place, &[Vec4::ZERO]);
        }
        Ok(())
    }

    /// Checks that the step is stable for node `node` once it is free, by the bound of [`crate::method::Stability`].
    fn check_release(&self, node: u32, inverse_mass: f64) -> Result<(), Error> {
        let springs = self.model.springs().iter().filter(|s| s.nodes.contains(&node));
        let stiffness: f64 = springs.map(|s| f64::from(s.stiffness)).sum();
        let stiffness = stiffness + self.model.bending_majorant()[node as usize];
        let h = f64::from(self.step_length());
        let allowed = self.settings.solver.largest_omega_squared(self.stability(), h);
        if 2.0 * inverse_mass * stiffness <= allowed {
            return Ok(());
        }
        Err(Error::Argument(format!(
            "node {node} cannot be released: {} is unstable for it at h = {h:.3e} s. Use more substeps, \
             {}, or give it more mass",
            self.settings.solver,
            SolverKind::default()
        )))
    }

    fn change(&mut self, change: impl FnOnce(&mut Settings)) -> Result<(), Error> {
        if !self.settings.copies.is_empty() {
            let message = "the copies of this batch have gravity, wind and damping of their own";
            return Err(Error::Argument(message.to_owned()));
        }
        let mut settings = self.settings.clone();
        change(&mut settings);
        settings.check()?;
        let (places, step, reach) = (self.world.places(), self.world.step(), self.world.reach());
        self.world = World::new(&settings, self.least_substeps, places, step, reach);
        self.settings = settings;
        self.write_step()
    }

    /// The largest total stiffness of held handles on the node at place `i` [N/m] for which the step is stable;
    /// infinite for implicit solvers. The stability bound already includes scripted handles.
    fn largest_pull(&self, i: usize) -> f32 {
        if !self.settings.solver.is_explicit() {
            return f32::INFINITY;
        }
        let w = f64::from(self.model.in_memory().inverse_mass(i));
        if w == 0.0 {
            return 0.0;
        }
        // omega^2 <= 2 w sum k + w K must stay below what the step allows; a tenth of margin.
        let h = f64::from(self.step_length());
        let allowed = 0.9 * self.settings.solver.largest_omega_squared(self.stability(), h);
        ((allowed - self.stability().omega_squared).max(0.01 * allowed) / w) as f32
    }
}
