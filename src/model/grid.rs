//! The regular grid, where neighbors, rest lengths and stiffnesses follow from a node's index.

/// One kind of spring of a regular grid, from node (c, r) to (c + offset\[0\], r + offset\[1\]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridLink {
    /// Steps along columns and rows.
    pub offset: [i32; 2],
    /// Rest length \[m\].
    pub rest_length: f32,
    /// Stiffness of an interior spring [N/m]; may be infinite.
    pub stiffness: f32,
    /// Dashpot of an interior spring [N s/m].
    pub dashpot: f32,
}

/// A regular grid of `columns * rows` nodes; node (column c, row r) has index `r * columns + c`. A batch has
/// several grids of the same size; node k of copy c has index `c * columns * rows + k`.
///
/// For each link, each node has a spring to the node at the link's offset, if that node exists. The six
/// links are, in this order: structural (1,0) and (0,1), shear (1,1) and (-1,1), flexion (2,0) and
/// (0,2).
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Nodes along the first direction.
    pub columns: u32,
    /// Nodes along the second direction.
    pub rows: u32,
    /// The six kinds of springs.
    pub links: [GridLink; 6],
    /// Factor on stiffness and dashpot of structural and flexion springs that run along a border:
    /// 0.5 for a fabric (the border belongs to one cell instead of two), 1 for raw networks.
    pub border_factor: f32,
    /// Number of copies; 1 for an ordinary cloth.
    pub copies: u32,
    /// The six kinds of springs of each copy if there are several copies; otherwise empty.
    pub copy_links: Vec<[GridLink; 6]>,
}

impl Grid {
    /// Whether any copy has springs of this kind.
    pub fn has_link(&self, kind: usize) -> bool {
        let exists = |l: &GridLink| l.stiffness > 0.0 || l.dashpot > 0.0;
        exists(&self.links[kind]) || self.copy_links.iter().any(|links| exists(&links[kind]))
    }

    /// Whether a spring of direction `offset` that starts at (column, row) runs along a border.
    pub fn along_border(&self, offset: [i32; 2], column: u32, row: u32) -> bool {
        (offset[1] == 0 && (row == 0 || row + 1 == self.rows))
            || (offset[0] == 0 && (column == 0 || column + 1 == self.columns))
    }
}
