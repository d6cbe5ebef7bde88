//! The user's own force: its text, checked before anything is compiled, and the first number of it that was none.

use bytemuck::{Pod, Zeroable};

use crate::Error;
use crate::gpu::{Bindings, Buffer, Gpu, GpuError, HostStruct, Shader, Source, Usage};
use crate::settings::UserForce;
use crate::shaders;

/// Host twin of WGSL `BadForce` in `forces/user.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct BadForce {
    step: u32,
    node: u32,
}

const NONE: BadForce = BadForce { step: u32::MAX, node: u32::MAX };

/// Layout compared with WGSL when the shader loads.
pub const BAD_FORCE_STRUCT: HostStruct = HostStruct {
    name: "BadForce",
    size: size_of::<BadForce>(),
    fields: &[("step", std::mem::offset_of!(BadForce, step)), ("node", std::mem::offset_of!(BadForce, node))],
};

/// For each copy, where and when the user's force was first no finite number.
pub struct BadForces(Buffer<BadForce>);

impl BadForces {
    /// None yet.
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

    /// Waits; substep since the start, from one, and node of each copy.
    pub fn read(&self, gpu: &Gpu) -> Result<Vec<Option<[u32; 2]>>, GpuError> {
        let found = |bad: BadForce| (bad.step != u32::MAX).then_some([bad.step, bad.node]);
        Ok(self.0.read(gpu)?.into_iter().map(found).collect())
    }
}

/// What it must define.
const SIGNATURE: &str = "fn user_force(position: vec3f, velocity: vec3f, mass: f32, time: f32) -> vec3f";

/// Whether it compiles; if not, an error at the user's own line. Needs no GPU.
pub fn check(force: &UserForce) -> Result<(), Error> {
    let lines: Vec<&str> = force.text.lines().collect();
    let first = 1 + lines.iter().position(|l| !l.trim().is_empty()).unwrap_or(0);
    let refuse = |line: usize, message: String| {
        let text = lines.get(line.wrapping_sub(1)).map_or("", |l| l.trim());
        Err(Error::line(&force.file, line, format!("user-force: {message}: {text}")))
    };
    // Alone first, so that every error is at a line of the user's.
    let own = |root| {
        let source = Source::with_own(
            shaders::LIBRARY,
            root,
            &[],
            ("shared/user_force.wgsl", &force.file, &force.text),
        )?;
        Shader::new(source, &[])
    };
    for root in ["shared/user_force.wgsl", "forces/user.wgsl"] {
        match own(root) {
            Ok(shader) if root.starts_with("shared/") && !shader.is_pure() => {
                let allowed =
                    "it may have functions, constants and structs, but no variables, overrides or kernels";
                return refuse(first, format!("{allowed}; it begins with"));
            }
            Ok(_) => {}
            // The library's own part comes last, so that it is there that a name is found taken.
            Err(GpuError::Shader { message, .. })
                if root.starts_with("forces/") && message.starts_with("redefinition of ") =>
            {
                let name = message.trim_start_matches("redefinition of ").trim_matches('`');
                let line = lines.iter().position(|line| line.contains(name)).map_or(first, |at| at + 1);
                return refuse(line, format!("the name `{name}` is taken; choose another"));
            }
            Err(GpuError::Shader { file, line, message }) if file == force.file && line > 0 => {
                return refuse(line, message);
            }
            Err(GpuError::Shader { message, .. }) => {
                return refuse(first, format!("it must define {SIGNATURE} ({message}); it begins with"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
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
        let taken = error(&format!("{function}\nfn rotated(a: f32) -> f32 {{ return a; }}\n"));
        assert!(taken.starts_with("scene.toml:10: user-force: the name `rotated` is taken"), "{taken}");
    }
}
