//! Random numbers for tests, the same ones for the same seed, and the variables that set how many tests there are.

#![allow(dead_code, reason = "each test program uses some of it")]

/// Random numbers: the same ones for the same seed.
pub struct Random(u64);

impl Random {
    pub fn of_seed(seed: u64) -> Random {
        Random(seed * 0x9e37_79b9 + 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        // Xorshift, by Marsaglia.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    pub fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// One of several, if there are any.
    pub fn of_some<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        (!all.is_empty()).then(|| self.of(all))
    }
}

/// Returns the number in an environment variable, or the usual one.
pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Returns the last boundary of a character up to an offset.
pub fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}
