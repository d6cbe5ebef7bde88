//! Runs the program in a directory of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A directory with scenes, in which the program runs.
pub struct Place(TempDir);

/// What a run of the program left.
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// A sheet of 6 x 5 nodes, held along its top; `simulation` and `body` are more lines of these tables.
pub fn sheet(simulation: &str, body: &str) -> String {
    format!(
        "[simulation]\nseconds = 0.1\n{simulation}\n[[body]]\nname = \"sheet\"\nshape = \"cloth\"\n\
         corner = [0, 1, 0]\nu = [1, 0, 0]\nv = [0, -0.8, 0]\ncolumns = 6\nrows = 5\n{body}\n\
         [[body.pin]]\nedge = \"top\"\n"
    )
}

/// Material of the sheet: h^2 omega^2 < 4 from h = 1.6 ms on.
pub const FABRIC: &str = "fabric = { density = 0.2, tensile = 1000, shear = 100, flexion = 1 }";

impl Ended {
    /// The program's errors. Some drivers write complaints of their own that begin alike.
    pub fn errors(&self) -> Vec<&str> {
        let ours = |line: &&str| line.starts_with("error: ") && !line.contains("XDG_RUNTIME_DIR");
        self.err.lines().filter(ours).collect()
    }
}

impl Place {
    /// An empty directory, but for `scene.toml` with the given text.
    pub fn with_scene(text: &str) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("scene.toml", text);
        place
    }

    /// A directory with a scene that runs.
    pub fn with_sheet() -> Self {
        Self::with_scene(&sheet("", FABRIC))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Names of everything in the directory, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with arguments separated by blanks.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taffeta"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        command.env_remove("RUST_LOG").stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &str) -> Ended {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs the program, which must succeed.
    pub fn succeed(&self, arguments: &str) -> Ended {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "taffeta {arguments}: {}", ended.err);
        ended
    }
}

/// Interrupts a run as Ctrl-C does. What a script starts in the background has that signal ignored, the program then, too;
/// there it is asked to terminate, which it takes alike.
#[cfg(unix)]
pub fn interrupt(child: &std::process::Child) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let name = if ignored >> 1 & 1 == 1 { "-TERM" } else { "-INT" };
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}
