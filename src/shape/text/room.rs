//! The inside of a polygon with holes: whether a point is inside, and how far from the outline.

use glam::DVec2;

use super::outline::{Island, pairs};

/// A polygon with holes, its sides sorted into a raster.
pub(super) struct Room {
    min: DVec2,
    /// Size of a cell of the raster.
    cell: f64,
    columns: usize,
    /// Sides that cross each row of the raster.
    rows: Vec<Vec<(DVec2, DVec2)>>,
    /// Sides within a cell's size of each cell.
    near: Vec<Vec<(DVec2, DVec2)>>,
}

impl Room {
    /// Sorts the sides of `island`. `cell` must be at least the distance given to [`Room::is_clear`].
    pub fn new(island: &Island, cell: f64) -> Self {
        let points = || island.iter().flatten().copied();
        let min = points().fold(DVec2::INFINITY, DVec2::min) - cell;
        let max = points().fold(DVec2::NEG_INFINITY, DVec2::max) + cell;
        let [columns, rows] = ((max - min) / cell).to_array().map(|n| n.ceil() as usize + 1);
        let mut room =
            Self { min, cell, columns, rows: vec![Vec::new(); rows], near: vec![Vec::new(); rows * columns] };
        for side in island.iter().flat_map(|contour| pairs(contour)) {
            let (low, high) = (side.0.min(side.1), side.0.max(side.1));
            let ([left, bottom], [right, top]) = (room.place(low), room.place(high));
            room.rows[bottom..=top].iter_mut().for_each(|row| row.push(side));
            for row in bottom.saturating_sub(1)..=(top + 1).min(rows - 1) {
                for column in left.saturating_sub(1)..=(right + 1).min(columns - 1) {
                    room.near[row * columns + column].push(side);
                }
            }
        }
        room
    }

    /// Column and row of a point.
    fn place(&self, p: DVec2) -> [usize; 2] {
        let [column, row] = ((p - self.min) / self.cell).to_array().map(|x| x.max(0.0) as usize);
        [column.min(self.columns - 1), row.min(self.rows.len() - 1)]
    }

    /// Whether it has an odd number of sides to its right.
    pub fn is_inside(&self, p: DVec2) -> bool {
        let right = |(a, b): &&(DVec2, DVec2)| {
            (a.y > p.y) != (b.y > p.y) && a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) > p.x
        };
        self.rows[self.place(p)[1]].iter().filter(right).count() % 2 == 1
    }

    /// Whether it is inside and at least this far from the outline.
    pub fn is_clear(&self, p: DVec2, distance: f64) -> bool {
        let [column, row] = self.place(p);
        let is_far = |(a, b): &(DVec2, DVec2)| {
            let side = *b - *a;
            let t = ((p - *a).dot(side) / side.length_squared()).clamp(0.0, 1.0);
            p.distance_squared(*a + t * side) >= distance * distance
        };
        self.is_inside(p) && self.near[row * self.columns + column].iter().all(is_far)
    }

    /// Points of a lattice of equilateral triangles that are at least this far from the outline.
    pub fn lattice(&self, spacing: f64, distance: f64) -> Vec<DVec2> {
        let step = spacing * 0.75f64.sqrt();
        let size = self.cell * DVec2::new(self.columns as f64, self.rows.len() as f64);
        let (columns, rows) = ((size.x / spacing) as usize + 1, (size.y / step) as usize + 1);
        let place = |row: usize, column: usize| {
            let shift = if row.is_multiple_of(2) { 0.0 } else { 0.5 };
            self.min + DVec2::new((column as f64 + shift) * spacing, row as f64 * step)
        };
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| place(row, column)));
        all.filter(|p| self.is_clear(*p, distance)).collect()
    }
}
