//! Host twins: Rust structs that are laid out as WGSL has them.

/// Defines a struct and its `TWIN`: the layout that is compared with WGSL's when a shader loads. Behind `=` stands the
/// name in WGSL, and where the host's entries are further apart than the struct is large, the size there \[B\].
///
/// What begins with `padding` has no twin.
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
            /// Its layout, compared with WGSL's when a shader loads.
            $see const TWIN: $crate::gpu::HostStruct = $crate::gpu::HostStruct {
                name: $wgsl,
                size: [$($size,)? size_of::<$name>()][0],
                fields: &[$((stringify!($field), std::mem::offset_of!($name, $field)),)*],
            };
        }
    };
}

pub(crate) use twin;
