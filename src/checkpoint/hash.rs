//! A hash with the same value on every machine and in every version. It tells things apart; it is not cryptographic.

/// Hashes words of 32 bits. One changed word always changes the result: each step is a bijection of both inputs.
#[derive(Clone, Copy, Debug)]
pub struct Hash(u64);

/// Odd, with bits as random as those of the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Default for Hash {
    fn default() -> Self {
        Self(FACTOR)
    }
}

impl Hash {
    /// Takes one word.
    pub fn word(&mut self, word: u32) {
        self.0 = (self.0.rotate_left(25) ^ u64::from(word)).wrapping_mul(FACTOR);
    }

    /// Takes words one after another.
    pub fn words(&mut self, words: impl IntoIterator<Item = u32>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    /// Takes numbers by their bits, so that -0 is not 0.
    pub fn numbers(&mut self, numbers: impl IntoIterator<Item = f32>) {
        self.words(numbers.into_iter().map(f32::to_bits));
    }

    /// Takes a double by its bits.
    pub fn double(&mut self, number: f64) {
        let bits = number.to_bits();
        self.words([bits as u32, (bits >> 32) as u32]);
    }

    /// Takes bytes and their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u32);
        self.words(bytes.iter().map(|&byte| byte.into()));
    }

    /// The hash of everything taken so far.
    pub fn finish(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(FACTOR);
        mixed ^ (mixed >> 29)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_and_the_order_count() {
        let of = |words: &[u32]| {
            let mut hash = Hash::default();
            hash.words(words.iter().copied());
            hash.finish()
        };
        let words = [0, 1, 2, 0, 0xffff_ffff];
        let mut all = vec![of(&words), of(&words[..4]), of(&[1, 0, 2, 0, 0xffff_ffff]), of(&[])];
        for at in 0..words.len() {
            for bit in 0..32 {
                let mut changed = words;
                changed[at] ^= 1 << bit;
                all.push(of(&changed));
            }
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
