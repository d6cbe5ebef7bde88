//! Weighted index lists of different lengths, end to end.

use rayon::prelude::*;

/// For each row a list of (index, weight).
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Where each row begins; one more entry than there are rows.
    pub starts: Vec<u32>,
    /// Indices, row after row.
    pub indices: Vec<u32>,
    /// The weight of each index \[1\].
    pub weights: Vec<f32>,
}

impl Default for Rows {
    fn default() -> Self {
        Self { starts: vec![0], indices: Vec::new(), weights: Vec::new() }
    }
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of row `i`.
    pub fn row(&self, i: usize) -> impl ExactSizeIterator<Item = (usize, f32)> + '_ {
        let range = self.starts[i] as usize..self.starts[i + 1] as usize;
        let weights = &self.weights[range.clone()];
        self.indices[range].iter().zip(weights).map(|(index, weight)| (*index as usize, *weight))
    }

    /// Ends the present row, whose entries come from `row`.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = (u32, f32)>) {
        for (index, weight) in row {
            self.indices.push(index);
            self.weights.push(weight);
        }
        self.starts.push(self.indices.len() as u32);
    }

    /// Rows in parts, one after the other.
    pub(super) fn concatenate(parts: &[Rows]) -> Rows {
        let mut whole = Rows::default();
        let entries = parts.iter().map(|part| part.indices.len()).sum();
        whole.indices.reserve_exact(entries);
        whole.weights.reserve_exact(entries);
        whole.starts.reserve_exact(parts.iter().map(Rows::len).sum());
        for part in parts {
            let before = whole.indices.len() as u32;
            whole.starts.extend(part.starts[1..].iter().map(|start| start + before));
            whole.indices.extend_from_slice(&part.indices);
            whole.weights.extend_from_slice(&part.weights);
        }
        whole
    }

    /// The rows of the transposed matrix, which has `columns` rows, each sorted by index.
    pub(super) fn transposed(&self, columns: usize) -> Rows {
        let mut starts = vec![0u32; columns + 1];
        for &index in &self.indices {
            starts[index as usize + 1] += 1;
        }
        for i in 0..columns {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut indices = vec![0u32; self.indices.len()];
        let mut weights = vec![0f32; self.indices.len()];
        for i in 0..self.len() {
            for (index, weight) in self.row(i) {
                let at = next[index] as usize;
                next[index] += 1;
                indices[at] = i as u32;
                weights[at] = weight;
            }
        }
        Rows { starts, indices, weights }
    }
}

/// Maps stretches of `0 .. count` in parallel. The stretches depend on `count` only.
pub(super) fn in_stretches<T: Send>(
    count: usize,
    part: impl Fn(std::ops::Range<usize>) -> T + Sync,
) -> Vec<T> {
    let length = count.div_ceil(64).max(1024);
    let stretch = |k: usize| part(k * length..((k + 1) * length).min(count));
    (0..count.div_ceil(length)).into_par_iter().map(stretch).collect()
}
