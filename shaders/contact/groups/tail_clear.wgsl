// Contact in the tail: there is none. Same functions as contact/groups/tail_coupled.wgsl.
//!import methods/newton_multigrid/contact_{alone|touching}.wgsl

fn multiply_contact(first: u32, count: u32, local: u32) {}

fn find_contact(first: u32, count: u32, local: u32) -> bool {
    return false;
}

fn contact_product(stride: u32, node: u32) -> vec3f {
    return vec3f(0.0);
}

fn add_contact(row: u32, node: u32) {}
