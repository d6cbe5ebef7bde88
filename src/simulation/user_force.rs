//! The user's own force: checks its text before anything is compiled, and finds its first value that is not finite.

use crate::Error;
use crate::foreign::{excerpt, excerpt_of};
use crate::gpu::{
    Bindings, Buffer, Gpu, GpuError, HostStruct, PREFIX, Reading, Shader, Source, Usage, check_text,
    on_deep_stack, twin,
};
use crate::settings::UserForce;
use crate::shaders;

twin! {
    /// Host twin of WGSL `BadForce` in `forces/user.wgsl`.
    struct BadForce = "BadForce" {
        step: u32,
        node: u32,
    }
}

const NONE: BadForce = BadForce { step: u32::MAX, node: u32::MAX };

/// Layout compared with WGSL when the shader loads.
pub const BAD_FORCE_STRUCT: HostStruct = BadForce::TWIN;

/// For each copy, the node and the substep at which the user's force was first not finite.
pub struct BadForces(Buffer<BadForce>);

impl BadForces {
    /// No bad forces.
    pub fn new(gpu: &Gpu, copies: u32) -> Result<Self, GpuError> {
        Ok(Self(Buffer::from_slice(gpu, "bad_force", &vec![NONE; copies as usize], Usage::empty())?))
    }

    /// Adds the buffer that the kernel writes.
    pub fn bind(&self, bindings: Bindings) -> Bindings {
        bindings.with("bad_force", &self.0)
    }

    /// Forgets what was found.
    pub fn clear(&self, gpu: &Gpu) {
        self.0.write(gpu, 0, &vec![NONE; self.0.len()]);
    }

    /// Asks for the substep since the start, from one, and the node of each copy.
    pub fn ask(&self, gpu: &Gpu) -> Reading<Vec<Option<[u32; 2]>>> {
        let found = |bad: BadForce| (bad.step != u32::MAX).then_some([bad.step, bad.node]);
        self.0.ask(gpu).map(move |bad| bad.into_iter().map(found).collect())
    }
}

/// The function that the text must define.
const SIGNATURE: &str = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f";

/// Most characters of a compiler message.
const MOST_SAID: usize = 200;

/// Checks that the text compiles, within limits; an error names the user's own line. Needs no GPU.
pub fn check(force: &UserForce) -> Result<(), Error> {
    let bytes = force.text.trim_start().len();
    if bytes > UserForce::MOST_BYTES {
        let most = UserForce::MOST_BYTES;
        let message = format!("user-force: {bytes} bytes are too many; the most is {most}");
        return Err(Error::file(&force.file, message));
    }
    check_text(&force.text).map_err(|(line, message)| refusal(force, line, &message))?;
    // On a deep stack, because the parsed module is also freed here.
    on_deep_stack(|| compile(force)).unwrap_or_else(|message| Err(Error::file(&force.file, message)))
}

fn compile(force: &UserForce) -> Result<(), Error> {
    let first = 1 + force.text.lines().position(|l| !l.trim().is_empty()).unwrap_or(0);
    let refuse = |line: usize, message: &str| Err(refusal(force, line, message));
    let own = shaders::user_force(&force.file, &force.text);
    // Compile it alone first, so that every error is at a line of the user's.
    let alone = || {
        let shader = Shader::new(Source::own(&own), &[])?;
        shader.check_limits().map(|()| shader.is_pure())
    };
    let whole = || {
        let source = Source::with_own(shaders::LIBRARY, "forces/user.wgsl", &[], &own)?;
        Shader::new(source, &[]).map(|_| true).map_err(as_written)
    };
    for checked in [alone(), whole()] {
        match checked {
            Ok(true) => {}
            Ok(false) => {
                let allowed =
                    "it may have functions, constants and structs, but no variables, overrides or kernels";
                return refuse(first, &begins_with(force, allowed));
            }
            Err(GpuError::Shader { file, line, message }) if file == force.file && line > 0 => {
                return refuse(line, &excerpt_of(&message, MOST_SAID));
            }
            Err(GpuError::Shader { message, .. }) => {
                let said = excerpt_of(&message, MOST_SAID);
                return refuse(first, &begins_with(force, &format!("it must define {SIGNATURE} ({said})")));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// An error about the composed text, with the user's names as the user wrote them.
fn as_written(error: GpuError) -> GpuError {
    match error {
        GpuError::Shader { file, line, message } => {
            GpuError::Shader { file, line, message: message.replace(PREFIX, "") }
        }
        error => error,
    }
}

/// A message, followed by the first line if that is shown.
fn begins_with(force: &UserForce, message: &str) -> String {
    if force.is_shown { format!("{message}; it begins with") } else { message.to_owned() }
}

/// An error at a line of the user's text.
fn refusal(force: &UserForce, line: usize, message: &str) -> Error {
    let text = force.text.lines().nth(line.wrapping_sub(1)).map_or("", str::trim);
    let shown = if force.is_shown { format!(": {}", excerpt(text)) } else { String::new() };
    Error::line(&force.file, line, format!("user-force: {message}{shown}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        check(&UserForce::new("scene.toml", 7, text)).unwrap_err().to_string()
    }

    #[test]
    fn an_error_shows_the_users_own_line() {
        let good = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {\n";
        check(&UserForce::new("scene.toml", 7, &format!("{good} return mass * position; }}"))).unwrap();
        let typo = error(&format!("// a comment with an @\n{good}    return mass * positon;\n}}\n"));
        assert!(typo.starts_with("scene.toml:9: user-force: "), "{typo}");
        assert!(typo.ends_with("return mass * positon;"), "{typo}");
        let wrong_type = error(&format!("{good}    return mass;\n}}\n"));
        assert!(wrong_type.starts_with("scene.toml:"), "{wrong_type}");
        let syntax = error(&format!("{good}    let a = ;\n    return position;\n}}\n"));
        assert!(syntax.starts_with("scene.toml:8: ") && syntax.ends_with("let a = ;"), "{syntax}");
    }

    #[test]
    fn what_is_no_such_function_is_told_what_to_define() {
        for text in ["fn other() -> f32 { return 1.0; }", "", "fn user_force(a: f32) -> f32 { return a; }"] {
            let message = error(text);
            assert!(message.contains("it must define fn user_force(position: vec3f"), "{message}");
        }
        let function = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {\n    return position;\n}";
        for more in [
            "@compute @workgroup_size(1) fn main() {}",
            "override FOO: f32;",
            "var<private> a: array<f32, 9>;",
        ] {
            let message = error(&format!("{function}\n{more}\n"));
            assert!(message.starts_with("scene.toml:7: user-force: it may have functions"), "{message}");
        }
    }

    #[test]
    fn any_name_is_free() {
        let begins = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f {\n";
        let names = "const WORKGROUP_SIZE = 3.0;\nstruct World { world: f32, time: f32 }\n\
                     fn rotated(w: World) -> f32 { return w.world + w.time; }\n\
                     fn length(v: vec3f) -> f32 { return WORKGROUP_SIZE + v.x; }\n";
        let ends = "let w = World(1.0, time); return (length(velocity) + rotated(w)) * position;\n}\n";
        check(&UserForce::new("scene.toml", 7, &format!("{names}{begins}{ends}"))).unwrap();
        // Messages have the names as the user wrote them.
        let missing = error(&format!("{names}{begins}return rotaded(World(1.0, time)) * position;\n}}\n"));
        assert!(missing.contains("rotaded") && !missing.contains("users_"), "{missing}");
        let world = error(&format!("{begins}return world.gravity;\n}}\n"));
        assert!(world.starts_with("scene.toml:8: "), "{world}");
    }
}
