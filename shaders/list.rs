// The words that choose between files that stand for each other. The library, the tests and the generated README.md beside
// this file read this list.

use super::Choice;

/// Every import that has a choice, and what its words mean.
pub const CHOICES: &[Choice] = &[
    Choice {
        import: "network/{grid|mesh}.wgsl",
        words: &[("grid", "neighbors follow from the index"), ("mesh", "neighbors are stored in rows")],
    },
    Choice {
        import: "network/material_{one|copies}.wgsl",
        words: &[
            ("one", "one material all over the grid"),
            ("copies", "a material for each copy of a batch"),
        ],
    },
    Choice {
        import: "methods/linear/block_{newton|constant}.wgsl",
        words: &[
            ("newton", "a spring puts the derivative of its force into the matrix"),
            ("constant", "a spring puts its stiffness in all directions into the matrix"),
        ],
    },
    Choice {
        import: "methods/linear/terms_{nodes|springs}.wgsl",
        words: &[("nodes", "sums of a system over nodes"), ("springs", "sums of a system over springs")],
    },
    Choice {
        import: "methods/newton_multigrid/step_{cycle|cg}.wgsl",
        words: &[
            ("cycle", "an iteration steps by one cycle"),
            ("cg", "an iteration steps by what conjugate gradients came to"),
        ],
    },
    Choice {
        import: "methods/newton_multigrid/keep_{none|multipliers}.wgsl",
        words: &[
            ("none", "no spring has a multiplier"),
            ("multipliers", "multipliers of stiff springs go on"),
        ],
    },
    Choice {
        import: "methods/newton_multigrid/contact_{alone|touching}.wgsl",
        words: &[("alone", "surfaces do not touch"), ("touching", "surfaces may touch each other")],
    },
    Choice {
        import: "contact/groups/tail_{clear|coupled}.wgsl",
        words: &[
            ("clear", "the tail's levels have no groups of pairs in touch"),
            ("coupled", "the tail's levels have groups of pairs in touch"),
        ],
    },
    Choice {
        import: "contact/iterate_{numbered|swept}.wgsl",
        words: &[
            ("numbered", "a uniform numbers the iterations at which pairs are met"),
            ("swept", "iterates are positions, or displacements where steps are very short"),
        ],
    },
    Choice {
        import: "contact/outcome_{force|iterate|system}.wgsl",
        words: &[
            ("force", "pairs have forces that are constant in a substep"),
            ("iterate", "pairs are met at each iterate"),
            ("system", "pairs are a part of a linear system"),
        ],
    },
    Choice {
        import: "contact/runs_{always|until_converged}.wgsl",
        words: &[
            ("always", "kernels always run"),
            ("until_converged", "kernels return at once where the substep is converged"),
        ],
    },
    Choice {
        import: "methods/newton_multigrid/grid/finer_{cloth|level}.wgsl",
        words: &[
            ("cloth", "a coarse level is made from the cloth"),
            ("level", "a coarse level is made from a finer one"),
        ],
    },
];
