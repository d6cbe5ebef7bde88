//! Why a command ended early, and with which exit code.

use std::fmt;
use std::process::ExitCode;

use taffeta::Error;
use taffeta::gpu::GpuError;

/// A message: what is wrong, where, what is allowed, how to fix it.
#[derive(Debug)]
pub enum Failure {
    /// Wrong input: exit code 2.
    Input(String),
    /// The run failed: exit code 1.
    Run(String),
}

impl Failure {
    /// The exit code of the program.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code())
    }

    /// The failure as a JSON object.
    pub fn json(&self) -> String {
        let object = serde_json::json!({ "error": self.to_string(), "exit_code": self.code() });
        format!("{object:#}\n")
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Input(_) => 2,
            Failure::Run(_) => 1,
        }
    }

    /// Wrong input, with the option or file that is at fault in front.
    pub fn input(place: impl fmt::Display, message: impl fmt::Display) -> Self {
        Failure::Input(format!("{place}: {message}"))
    }

    /// A failure during a run.
    pub fn while_running(error: impl fmt::Display) -> Self {
        Failure::Run(error.to_string())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Gpu(error) => error.into(),
            Error::Diverged(breakdown) => Failure::Run(breakdown.to_string()),
            _ => Failure::Input(error.to_string()),
        }
    }
}

impl From<GpuError> for Failure {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::UnknownAdapter { .. } => Failure::Input(error.to_string()),
            GpuError::Limit { .. } => Failure::Input(format!("{error} (taffeta info lists them)")),
            _ => Failure::Run(error.to_string()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Failure::Input(message) | Failure::Run(message)) = self;
        f.write_str(message)
    }
}
