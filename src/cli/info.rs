//! `taffeta info`: the adapters of this machine, and the shaders of the program.

use std::fmt::Write;
use std::process::ExitCode;

use serde_json::{Value, json};
use taffeta::gpu::adapters;

use super::failure::Failure;
use super::gpu::AdapterArg;
use super::{print, shader};

/// List the GPU adapters with their limits and features, or print a shader.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    choice: AdapterArg,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,

    /// Print the WGSL of a kernel as it is composed, with the file of each part: a path under shaders/, such as
    /// newton_multigrid/gradient; shaders/README.md lists them all
    #[arg(long, value_name = "KERNEL", conflicts_with_all = ["json", "adapter"])]
    shader: Option<String>,

    /// Words that choose between files that stand for each other, such as grid or mesh [default: the first of each]
    #[arg(long, value_name = "WORD", requires = "shader", value_delimiter = ',')]
    choose: Vec<String>,
}

const AFTER_HELP: &str = "\
Examples:
  taffeta info
  taffeta info --adapter llvmpipe
  WGPU_BACKEND=gl taffeta info --json
  taffeta info --shader newton_multigrid/gradient --choose mesh

The adapter that a run would use is opened and marked with '*'.";

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    if let Some(name) = &args.shader {
        print(&shader::composed(name, &args.choose)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let gpu = args.choice.open()?;
    let found = gpu.home().map(|home| adapters(&home.instance)).unwrap_or_default();
    let rows: Vec<Value> = found
        .iter()
        .enumerate()
        .map(|(index, adapter)| describe(index, adapter, adapter.get_info() == *gpu.info()))
        .collect();
    print(&match args.json {
        true => serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n",
        false => rows.iter().map(text).collect::<Vec<_>>().join("\n"),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn describe(index: usize, adapter: &wgpu::Adapter, chosen: bool) -> Value {
    let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
    json!({
        "index": index,
        "name": info.name,
        "chosen": chosen,
        "type": match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete GPU",
            wgpu::DeviceType::IntegratedGpu => "integrated GPU",
            wgpu::DeviceType::VirtualGpu => "virtual GPU",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        },
        "backend": info.backend.to_string(),
        "driver": format!("{} {}", info.driver, info.driver_info).trim(),
        "limits": {
            "max_buffer_size": limits.max_buffer_size,
            "max_storage_buffer_binding_size": limits.max_storage_buffer_binding_size,
            "max_storage_buffers_per_shader_stage": limits.max_storage_buffers_per_shader_stage,
            "max_compute_workgroups_per_dimension": limits.max_compute_workgroups_per_dimension,
            "max_compute_invocations_per_workgroup": limits.max_compute_invocations_per_workgroup,
            "max_compute_workgroup_storage_size": limits.max_compute_workgroup_storage_size,
            "max_texture_dimension_2d": limits.max_texture_dimension_2d,
        },
        "features": {
            "timestamps": features.contains(wgpu::Features::TIMESTAMP_QUERY),
            "timestamps_inside_passes": features.contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES),
            "subgroups": features.contains(wgpu::Features::SUBGROUP),
        },
    })
}

fn text(row: &Value) -> String {
    let word = |key: &str| row[key].as_str().unwrap_or_default();
    let mark = if row["chosen"] == true { '*' } else { ' ' };
    let mut text = format!("{mark} {}: {}\n", row["index"], word("name"));
    // Writing to a String cannot fail.
    let _ = writeln!(text, "    {}, {}, driver {}", word("type"), word("backend"), word("driver"));
    for group in ["limits", "features"] {
        let Some(entries) = row[group].as_object() else { continue };
        for (name, value) in entries {
            let value = match value {
                Value::Bool(true) => "yes".into(),
                Value::Bool(false) => "no".into(),
                value => value.to_string(),
            };
            let _ = writeln!(text, "    {name:<40} {value:>14}");
        }
    }
    text
}
