// Whether surfaces touch each other: they may. Same constant as newton_multigrid/contact_alone.wgsl.

const HAS_CONTACT = true;
