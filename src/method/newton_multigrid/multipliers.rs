//! The multipliers of stiff springs on the GPU: behind the rows of the node terms, because kernels have no storage buffer
//! to spare.

use glam::Vec4;

use crate::gpu::{Buffer, Gpu, GpuError, Usage, twin};
use crate::method::MultiplierLayout;

/// The node terms, and the multipliers behind them.
pub struct Multipliers {
    /// Rows of node terms, then fours of multipliers, then words that say which slots have one.
    pub anchor: Buffer<Vec4>,
    /// Where all of them lie, as the uniform of kernels.
    pub places: Buffer<MultiplierPlaces>,
    slots: u32,
    first: usize,
    quads: usize,
    has_words: bool,
}

twin! {
    /// Host twin of WGSL `MultiplierPlaces`.
    pub struct MultiplierPlaces = "MultiplierPlaces" {
        quads: u32,
        words: u32,
        springs: u32,
    }
}

impl Multipliers {
    /// With `terms` entries of node terms before them.
    pub fn new(gpu: &Gpu, layout: &MultiplierLayout, terms: usize) -> Result<Self, GpuError> {
        // As a number that is neither subnormal nor NaN, whose bits a GPU keeps.
        let float = |word: Option<&u32>| f32::from_bits(2f32.to_bits() | word.unwrap_or(&0));
        let word = |four: &[u32]| Vec4::from_array(std::array::from_fn(|k| float(four.get(k))));
        let words: Vec<Vec4> = layout.words.chunks(4).map(word).collect();
        let first_word = terms + layout.quads;
        let anchor = Buffer::<Vec4>::zeroed(gpu, "anchor", first_word + words.len(), Usage::empty())?;
        if !words.is_empty() {
            anchor.write(gpu, first_word, &words);
        }
        let places = MultiplierPlaces {
            quads: terms as u32,
            words: first_word as u32,
            springs: layout.springs.len() as u32,
        };
        let places = Buffer::from_slice(gpu, "multiplier_places", &[places], Usage::UNIFORM)?;
        let (quads, has_words) = (layout.quads, !words.is_empty());
        Ok(Self { anchor, places, slots: layout.slots, first: terms, quads, has_words })
    }

    /// Whether no spring has one.
    pub fn is_empty(&self) -> bool {
        self.slots == 0
    }

    /// Values of WGSL overrides; none where there are no multipliers.
    pub fn constants(&self) -> Vec<(&'static str, f64)> {
        if self.is_empty() {
            return Vec::new();
        }
        vec![("MULTIPLIER_SLOTS", f64::from(self.slots)), ("HAS_WORDS", f64::from(u8::from(self.has_words)))]
    }

    /// Sets all of them to zero, before the next submission runs.
    pub fn forget(&self, gpu: &Gpu) {
        self.anchor.write(gpu, self.first, &vec![Vec4::ZERO; self.quads]);
    }
}
