//! Host twins: Rust structs with the same layout as in WGSL.

/// Defines a struct and its `TWIN`: the layout that is compared with WGSL's when a shader loads. After `=` comes the
/// name in WGSL, and if entries on the host are farther apart than the size of the struct, the size in WGSL \[B\].
///
/// Fields that begin with `padding` are not compared.
macro_rules! twin {
    (
        $(#[$about:meta])*
        $see:vis struct $name:ident = $wgsl:literal $(in $size:literal)? {
            $($(#[$meta:meta])* $open:vis $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
        $see struct $name {
            $($(#[$meta])* $open $field: $type,)*
        }

        impl $name {
            /// The layout, which is compared with WGSL's when a shader loads.
            $see const TWIN: $crate::gpu::HostStruct = $crate::gpu::HostStruct {
                name: $wgsl,
                size: [$($size,)? size_of::<$name>()][0],
                fields: &[$((stringify!($field), std::mem::offset_of!($name, $field)),)*],
            };
        }
    };
}

pub(crate) use twin;
