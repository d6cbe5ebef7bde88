//! Pictures of one size side by side: the position of each, and the view that all share.

use glam::Vec3;

use super::Camera;

/// Space between two pictures, as a fraction of the larger side of the whole.
const GAP: f32 = 0.004;

/// The division of a picture into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// Width and height of each part \[pixels\].
    pub size: [u32; 2],
    count: u32,
    columns: u32,
    gap: u32,
}

impl Cells {
    /// Divides a picture of `size` pixels into `count` parts that each hold as large a square as possible.
    pub fn new(size: [u32; 2], count: u32) -> Self {
        let [width, height] = size;
        let count = count.max(1);
        let columns = columns(size, count);
        let rows = count.div_ceil(columns);
        let gap = (GAP * width.max(height) as f32).ceil() as u32;
        let side = |whole: u32, parts: u32| (whole.saturating_sub(gap * (parts - 1)) / parts).max(1);
        Self { size: [side(width, columns), side(height, rows)], count, columns, gap }
    }

    /// Column and row of the upper left pixel of a part.
    pub fn corner(&self, index: u32) -> [u32; 2] {
        let [width, height] = self.size;
        [index % self.columns * (width + self.gap), index / self.columns * (height + self.gap)]
    }

    /// The part that contains a point of the whole \[pixels\].
    pub fn at(&self, point: [f32; 2]) -> Option<u32> {
        (0..self.count).find(|&index| self.place(index, point).iter().all(|x| (0.0..1.0).contains(x)))
    }

    /// The position of a point of the whole relative to a part: from 0 (left, top) to 1 (right, bottom) inside it.
    pub fn place(&self, index: u32, point: [f32; 2]) -> [f32; 2] {
        let corner = self.corner(index);
        [0, 1].map(|k| (point[k] - corner[k] as f32) / self.size[k] as f32)
    }

    /// Width over height of each part.
    pub fn aspect(&self) -> f32 {
        self.size[0] as f32 / self.size[1] as f32
    }

    /// Frames a box with a camera, with room for a caption; keeps the camera's angles.
    pub fn frame(&self, camera: &mut Camera, low: Vec3, high: Vec3) {
        camera.frame(low, high);
        // Framing is for pictures wider than high; captions take a part of the height.
        camera.zoom(1.15 / self.aspect().min(1.0));
        camera.pan(0.0, -0.06);
    }
}

/// The number of columns for which the largest square in each picture is as large as possible.
fn columns([width, height]: [u32; 2], count: u32) -> u32 {
    let side = |columns: u32| (width / columns).min(height / count.div_ceil(columns));
    // Of equal ones the fewest columns, because fewer places stay empty.
    (1..=count).rev().max_by_key(|&columns| side(columns)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_get_as_much_room_as_there_is() {
        for (size, count, expected) in [
            ([1280, 720], 1, 1),
            ([1280, 720], 2, 2),
            ([1280, 720], 3, 3),
            ([1280, 720], 6, 3),
            ([1280, 720], 8, 4),
            ([400, 1200], 3, 1),
            ([1600, 400], 4, 4),
        ] {
            assert_eq!(columns(size, count), expected, "{count} in {size:?}");
        }
    }

    #[test]
    fn a_point_lies_in_one_picture_or_between() {
        let cells = Cells::new([1000, 500], 3);
        assert_eq!((cells.size, cells.corner(2)), ([330, 500], [668, 0]));
        let found = [0.0, 329.9, 331.0, 335.0, 997.9, 999.0].map(|x| cells.at([x, 3.0]));
        assert_eq!(found, [Some(0), Some(0), None, Some(1), Some(2), None]);
        assert_eq!(cells.at([3.0, 500.0]), None);
        assert_eq!(cells.place(2, [668.0 + 165.0, 250.0]), [0.5, 0.5]);
        assert_eq!(Cells::new([1000, 500], 1).size, [1000, 500]);
        // With more parts than pixels, each part still has a pixel to draw into.
        assert_eq!(Cells::new([2, 2], 9).size, [2, 1]);
    }
}
