// A cloth in a window of your own: this program opens the device, hands it to the simulation, and draws from the
// simulation's buffers with its own pipeline. Nothing is copied. Run it with
// `cargo run --release --example embed`; Escape or closing the window ends it.

use std::error::Error;
use std::sync::Arc;

use taffeta::glam::{Mat4, Vec3, camera::rh};
use taffeta::shape::Cloth;
use taffeta::simulation::Normals;
use taffeta::{Gpu, Model, Settings, Simulation, wgpu};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

/// Positions and normals come as vertices; the light is from above.
const SHADER: &str = "
struct Vertex { @builtin(position) clip: vec4f, @location(0) normal: vec3f }

@group(0) @binding(0) var<uniform> camera: mat4x4f;

@vertex
fn vertex(@location(0) position: vec4f, @location(1) normal: vec4f) -> Vertex {
    return Vertex(camera * vec4f(position.xyz, 1.0), normal.xyz);
}

@fragment
fn fragment(in: Vertex, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let normal = normalize(in.normal) * select(-1.0, 1.0, is_front);
    let light = 0.25 + 0.75 * max(dot(normal, normalize(vec3f(0.3, 0.8, 0.6))), 0.0);
    return vec4f(select(vec3f(0.25, 0.35, 0.7), vec3f(0.85, 0.3, 0.2), is_front) * light, 1.0);
}
";
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

fn main() -> Result<(), Box<dyn Error>> {
    let mut app = App { stage: None, outcome: Ok(()) };
    EventLoop::new()?.run_app(&mut app)?;
    app.outcome
}

struct App {
    stage: Option<Stage>,
    outcome: Result<(), Box<dyn Error>>,
}

/// Everything that belongs to the window's device.
struct Stage {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    simulation: Simulation,
    normals: Normals,
    pipeline: wgpu::RenderPipeline,
    camera: wgpu::Buffer,
    group: wgpu::BindGroup,
    depth: wgpu::TextureView,
}

impl Stage {
    async fn open(event_loop: &ActiveEventLoop) -> Result<Self, Box<dyn Error>> {
        let sheet = Cloth::new([81, 81], Vec3::X, Vec3::Z).at(Vec3::new(-0.5, 0.5, -0.5)).build()?;
        let (model, settings) = (Model::of(sheet.pin([0, 80]))?, Settings::default());

        let attributes = Window::default_attributes().with_title("A cloth in a program of its own");
        let window = Arc::new(event_loop.create_window(attributes)?);
        let display = Box::new(event_loop.owned_display_handle());
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_with_display_handle(display));
        let surface = instance.create_surface(Arc::clone(&window))?;
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                compatible_surface: Some(&surface),
                ..Default::default()
            })
            .await?;
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                required_limits: Simulation::requirements(&model, &settings)?.limits(),
                ..Default::default()
            })
            .await?;

        // The simulation runs on this program's device.
        let gpu = Gpu::from_device(device.clone(), queue.clone())?;
        let simulation = Simulation::new(&gpu, &model, &settings)?;
        let normals = Normals::new(&simulation)?;

        let size = window.inner_size();
        let config = surface
            .get_default_config(&adapter, size.width.max(1), size.height.max(1))
            .ok_or("the adapter cannot draw into this window")?;
        surface.configure(&device, &config);
        let (pipeline, camera, group) = pipeline(&device, config.format);
        let depth = depth(&device, &config);
        Ok(Self {
            window,
            surface,
            config,
            device,
            queue,
            simulation,
            normals,
            pipeline,
            camera,
            group,
            depth,
        })
    }

    fn resize(&mut self, width: u32, height: u32) {
        (self.config.width, self.config.height) = (width.max(1), height.max(1));
        self.surface.configure(&self.device, &self.config);
        self.depth = depth(&self.device, &self.config);
    }

    /// One frame of the simulation, and its picture.
    fn draw(&mut self) -> Result<(), Box<dyn Error>> {
        use wgpu::CurrentSurfaceTexture as Current;
        self.simulation.step()?;
        self.normals.update();
        let (Current::Success(picture) | Current::Suboptimal(picture)) = self.surface.get_current_texture()
        else {
            self.surface.configure(&self.device, &self.config);
            return Ok(());
        };
        let aspect = self.config.width as f32 / self.config.height as f32;
        let view = rh::view::look_at_mat4(Vec3::new(0.7, 0.4, 2.4), Vec3::new(0.0, -0.1, -0.2), Vec3::Y);
        let camera = rh::proj::directx::perspective(0.8, aspect, 0.1, 10.0) * view;
        self.queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&camera));

        let view = picture.texture.create_view(&Default::default());
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.9, g: 0.92, b: 0.95, a: 1.0 }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        let triangles = self.simulation.surface().triangles();
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.set_vertex_buffer(0, self.simulation.positions().raw().slice(..));
        pass.set_vertex_buffer(1, self.normals.buffer().raw().slice(..));
        pass.set_index_buffer(triangles.raw().slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..triangles.len() as u32, 0, 0..1);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        self.queue.present(picture);
        Ok(())
    }
}

fn pipeline(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
) -> (wgpu::RenderPipeline, wgpu::Buffer, wgpu::BindGroup) {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("cloth"),
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    // Four numbers per node, of which the shader uses the ones it needs.
    let vertices = |attributes| wgpu::VertexBufferLayout {
        array_stride: 16,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes,
    };
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("cloth"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers: &[
                Some(vertices(&wgpu::vertex_attr_array![0 => Float32x4])),
                Some(vertices(&wgpu::vertex_attr_array![1 => Float32x4])),
            ],
        },
        primitive: Default::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Less),
            stencil: Default::default(),
            bias: Default::default(),
        }),
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    let camera = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("camera"),
        size: size_of::<Mat4>() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("camera"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: camera.as_entire_binding() }],
    });
    (pipeline, camera, group)
}

fn depth(device: &wgpu::Device, config: &wgpu::SurfaceConfiguration) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("depth"),
        size: wgpu::Extent3d { width: config.width, height: config.height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: DEPTH,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.stage.is_none() {
            match pollster::block_on(Stage::open(event_loop)) {
                Ok(stage) => {
                    stage.window.request_redraw();
                    self.stage = Some(stage);
                }
                Err(error) => {
                    self.outcome = Err(error);
                    event_loop.exit();
                }
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(stage) = &mut self.stage else { return };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::KeyboardInput { event, .. } if event.logical_key == Key::Named(NamedKey::Escape) => {
                event_loop.exit();
            }
            WindowEvent::Resized(size) => stage.resize(size.width, size.height),
            WindowEvent::RedrawRequested => {
                if let Err(error) = stage.draw() {
                    self.outcome = Err(error);
                    event_loop.exit();
                }
                stage.window.request_redraw();
            }
            _ => {}
        }
    }
}
