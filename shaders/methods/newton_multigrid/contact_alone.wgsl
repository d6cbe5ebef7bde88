// Whether surfaces touch each other: they do not. Same constant as newton_multigrid/contact_touching.wgsl.

const HAS_CONTACT = false;
