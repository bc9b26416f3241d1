//! The token buffer.

use super::TokenKind;
use crate::sorting::sort_by_key;
use crate::source::Span;
use crate::syntax::index::{Indexes, TokenIndex};
use crate::work;

/// The tokens of a source: the kind and place of each. Openers also store the index of their closer.
///
/// Most tokens are one word of four bytes: the kind, the distance from the first token of its block of [`BLOCK`]
/// tokens, and either the length or, for an opener, the distance to its closer in tokens. Tokens that do not fit into a
/// word are in a separate table, which is short.
///
/// White space and comments are the text between the tokens; other text between them has been reported as an error and
/// is [`skipped`](Tokens::skipped).
#[derive(Clone, Default)]
pub(crate) struct Tokens {
    words: Vec<u32>,
    /// The start of each block of tokens.
    blocks: Vec<u32>,
    /// The start of the last block.
    base: u32,
    /// The tokens that are marked as unusual, in order.
    unusual: Vec<Unusual>,
    /// The openers whose closers are too far away for a word, sorted by their closers, and after [`sort`](Tokens::sort)
    /// by themselves.
    far: Vec<(TokenIndex, TokenIndex)>,
    /// Text that is not in any token and has been reported, in order.
    skipped: Vec<Span>,
    /// The length of the source.
    length: usize,
}

/// A token whose word does not contain its place.
#[derive(Clone, Copy)]
struct Unusual {
    token: TokenIndex,
    start: u32,
    end: u32,
    /// The start of the name of an attribute access, of the number of a legacy index, or of the star of `[*]`.
    inner: u32,
}

/// The number of tokens in a block: their starts are relative to that of the first one.
const BLOCK: u32 = 64;

// The flag of an unusual token in a word. A word consists of the kind in six bits, this flag, the length or the
// distance to the closer, and the distance from the start of the block.
const UNUSUAL: u32 = 0x80;
const EXTENT: u32 = 8;
const OFFSET: u32 = 16;
const MAX_EXTENT: u32 = 0xff;
const MAX_OFFSET: u32 = 0xffff;

impl Tokens {
    /// Creates a buffer with room for the tokens of `length` bytes of source.
    pub fn for_source(length: usize) -> Self {
        // Real files have a token every 6 to 8 bytes.
        let count = length / 6 + 16;
        Tokens {
            words: Vec::with_capacity(count),
            blocks: Vec::with_capacity(count / BLOCK as usize + 1),
            length,
            ..Tokens::default()
        }
    }

    #[inline]
    pub fn len(&self) -> u32 {
        self.words.len() as u32
    }

    #[inline]
    pub fn kind(&self, token: TokenIndex) -> TokenKind {
        self.by_kind(token, &TokenKind::BY_NUMBER)
    }

    /// Returns the entry of a table made of [`TokenKind::BY_NUMBER`] for the kind of a token.
    #[inline]
    pub fn by_kind<T: Copy>(&self, token: TokenIndex, table: &[T; 64]) -> T {
        work::step(1);
        table[(self.words[token.as_usize()] & 0x3f) as usize]
    }

    /// The index that the next token will have.
    #[inline]
    pub fn next(&self) -> TokenIndex {
        TokenIndex::new(self.len())
    }

    /// The last token.
    #[inline]
    pub fn last(&self) -> TokenIndex {
        self.next() - 1
    }

    /// Returns all tokens.
    #[inline]
    pub fn all(&self) -> Indexes {
        TokenIndex::FIRST.to(self.next())
    }

    /// Returns the kind of the token at `index` from the end, counted from zero; at the start of a source it counts as
    /// a newline.
    #[inline]
    pub fn last_kind(&self, index: usize) -> TokenKind {
        match self.words.len().checked_sub(index + 1) {
            Some(token) => TokenKind::from_number(self.words[token]),
            None => TokenKind::Newline,
        }
    }

    /// Returns the kinds of the last tokens, the last one last.
    #[inline]
    pub fn last_kinds<const N: usize>(&self) -> [TokenKind; N] {
        std::array::from_fn(|index| self.last_kind(N - 1 - index))
    }

    #[inline]
    pub fn start(&self, token: TokenIndex) -> u32 {
        work::step(1);
        let word = self.words[token.as_usize()];
        if word & UNUSUAL != 0 {
            return self.unusual(token).start;
        }
        self.blocks[(token.get() / BLOCK) as usize] + (word >> OFFSET)
    }

    #[inline]
    pub fn end(&self, token: TokenIndex) -> u32 {
        self.range(token).1
    }

    #[inline]
    pub fn span(&self, token: TokenIndex) -> Span {
        let (start, end) = self.range(token);
        Span::of(start, end)
    }

    #[inline]
    fn range(&self, token: TokenIndex) -> (u32, u32) {
        let word = self.words[token.as_usize()];
        if word & UNUSUAL != 0 {
            let unusual = self.unusual(token);
            return (unusual.start, unusual.end);
        }
        let start = self.blocks[(token.get() / BLOCK) as usize] + (word >> OFFSET);
        let kind = TokenKind::from_number(word);
        let length = if kind.is_opener() { kind.usual_length() } else { word >> EXTENT & MAX_EXTENT };
        (start, start + length)
    }

    /// Returns the span of the name of an attribute access or of the number of a legacy index; for other tokens their
    /// whole span.
    #[inline]
    pub fn name_span(&self, token: TokenIndex) -> Span {
        let (start, end) = self.range(token);
        match self.kind(token) {
            TokenKind::GetAttr | TokenKind::LegacyIndex => Span::of(self.inner(token), end),
            _ => Span::of(start, end),
        }
    }

    /// Returns the start of the name of an attribute access, of the number of a legacy index, or of the star of `[*]`.
    fn inner(&self, token: TokenIndex) -> u32 {
        if self.words[token.as_usize()] & UNUSUAL != 0 {
            return self.unusual(token).inner;
        }
        self.start(token) + 1
    }

    /// Returns the parts of a token that white space may separate: a dot and a name or number, the characters of a
    /// splat. Other tokens have one part.
    pub fn parts(&self, token: TokenIndex) -> ([Span; 3], usize) {
        let (start, end) = self.range(token);
        let inner = self.inner(token);
        let first = Span::of(start, start + 1);
        match self.kind(token) {
            TokenKind::GetAttr | TokenKind::LegacyIndex => ([first, Span::of(inner, end), Span::default()], 2),
            TokenKind::AttrSplat => ([first, Span::of(end - 1, end), Span::default()], 2),
            TokenKind::FullSplat => ([first, Span::of(inner, inner + 1), Span::of(end - 1, end)], 3),
            _ => ([Span::of(start, end), Span::default(), Span::default()], 1),
        }
    }

    /// Returns true if a token may contain white space or comments.
    #[inline]
    pub fn has_gaps(&self, token: TokenIndex) -> bool {
        self.words[token.as_usize()] & UNUSUAL != 0
            && matches!(
                self.kind(token),
                TokenKind::GetAttr | TokenKind::LegacyIndex | TokenKind::AttrSplat | TokenKind::FullSplat
            )
    }

    #[cold]
    fn unusual(&self, token: TokenIndex) -> Unusual {
        let index = self.unusual.partition_point(|unusual| unusual.token < token);
        self.unusual[index]
    }

    /// Returns the closer of an opener; for one that is not closed yet, the last token.
    #[inline]
    pub fn closer(&self, opener: TokenIndex) -> TokenIndex {
        match self.words[opener.as_usize()] >> EXTENT & MAX_EXTENT {
            0 => self.last(),
            MAX_EXTENT => self.far_closer(opener),
            distance => opener + distance,
        }
    }

    #[cold]
    fn far_closer(&self, opener: TokenIndex) -> TokenIndex {
        match self.far.binary_search_by_key(&opener, |far| far.0) {
            Ok(index) => self.far[index].1,
            Err(_) => self.last(),
        }
    }

    /// Adds a token that is not an opener.
    #[inline]
    pub fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        debug_assert!(!kind.is_opener(), "{kind:?}");
        self.push_word(kind, start, end, (end - start) as u32, start as u32 + 1);
    }

    /// Adds a token with white space or comments between its parts: the second part starts at `inner`.
    #[cold]
    pub fn push_with_gap(&mut self, kind: TokenKind, start: usize, inner: usize, end: usize) {
        self.push_word(kind, start, end, MAX_EXTENT + 1, inner as u32);
    }

    /// Adds an opener, which has no closer yet.
    #[inline]
    pub fn push_opener(&mut self, kind: TokenKind, start: usize, end: usize) {
        debug_assert!(kind.is_opener(), "{kind:?}");
        let usual = (end - start) as u32 == kind.usual_length();
        self.push_word(kind, start, end, if usual { 0 } else { MAX_EXTENT + 1 }, start as u32);
    }

    /// Adds the word of a token. Rare cases are left to [`push_first_or_unusual`](Self::push_first_or_unusual), so that
    /// this needs no stack.
    #[inline]
    fn push_word(&mut self, kind: TokenKind, start: usize, end: usize, extent: u32, inner: u32) {
        work::step(1);
        let count = self.words.len();
        let offset = (start as u32).wrapping_sub(self.base);
        let fits = offset >> OFFSET | extent >> EXTENT == 0;
        if !fits || count.is_multiple_of(BLOCK as usize) || count >= self.words.capacity() {
            return self.push_first_or_unusual(kind, start, end, extent, inner);
        }
        self.words.push(kind as u32 | extent << EXTENT | offset << OFFSET);
    }

    /// Adds the first token of a block, one that does not fit into a word, or one that needs more room.
    #[inline(never)]
    fn push_first_or_unusual(&mut self, kind: TokenKind, start: usize, end: usize, extent: u32, inner: u32) {
        if self.words.len() == self.words.capacity() {
            self.grow(start);
        }
        if (self.words.len() as u32).is_multiple_of(BLOCK) {
            self.base = start as u32;
            self.blocks.push(self.base);
        }
        let offset = start as u32 - self.base;
        let mut word = kind as u32 | extent << EXTENT | offset << OFFSET;
        if offset > MAX_OFFSET || extent > MAX_EXTENT {
            self.unusual.push(Unusual { token: self.next(), start: start as u32, end: end as u32, inner });
            let known = if kind.is_opener() { 0 } else { 1 };
            word = kind as u32 | UNUSUAL | known << EXTENT;
        }
        self.words.push(word);
    }

    /// Makes room for the tokens of the rest of the source, assuming that they are as dense as up to `at`.
    #[cold]
    fn grow(&mut self, at: usize) {
        let rest = self.length.saturating_sub(at) as f64;
        let expected = rest / at.max(1) as f64 * self.words.len() as f64;
        self.words.reserve_exact((expected * 1.02) as usize + 64);
    }

    #[inline]
    pub fn set_closer(&mut self, opener: TokenIndex, closer: TokenIndex) {
        let distance = closer - opener;
        if distance >= MAX_EXTENT {
            self.add_far(opener, closer);
        }
        let word = &mut self.words[opener.as_usize()];
        *word = *word & !(MAX_EXTENT << EXTENT) | distance.min(MAX_EXTENT) << EXTENT;
    }

    #[cold]
    #[inline(never)]
    fn add_far(&mut self, opener: TokenIndex, closer: TokenIndex) {
        self.far.push((opener, closer));
    }

    /// Makes all closers known.
    pub fn sort(&mut self) {
        sort_by_key(&mut self.far, |far| *far);
    }

    /// Records text that is not in any token and is not white space.
    pub fn skip(&mut self, span: Span) {
        match self.skipped.last_mut() {
            Some(last) if last.end() == span.start() => *last = last.join(span),
            _ => self.skipped.push(span),
        }
    }

    /// Returns the first skipped text at or after a position: its start and end.
    pub fn skipped(&self, at: usize) -> Option<Span> {
        let next = self.skipped.partition_point(|span| span.end() <= at);
        self.skipped.get(next).copied()
    }

    /// Discards the tokens from one on, and the skipped text after a position.
    pub fn truncate(&mut self, first: TokenIndex, end: usize) {
        self.words.truncate(first.as_usize());
        self.blocks.truncate(first.get().div_ceil(BLOCK) as usize);
        self.base = self.blocks.last().copied().unwrap_or(0);
        while self.unusual.pop_if(|unusual| unusual.token >= first).is_some() {}
        // The openers that have been closed since then are the last ones.
        while self.far.pop_if(|far| far.0 >= first).is_some() {}
        while self.skipped.pop_if(|span| span.start() >= end).is_some() {}
        if let Some(last) = self.skipped.last_mut().filter(|last| last.end() > end) {
            *last = Span::new(last.start(), end);
        }
    }

    /// Removes the last `count` tokens, none of which is an opener or contains white space.
    pub fn take_last(&mut self, count: usize) -> Vec<(TokenKind, Span)> {
        let at = self.next() - count as u32;
        let taken = at.to(self.next()).map(|token| (self.kind(token), self.span(token))).collect();
        self.truncate(at, usize::MAX);
        taken
    }

    /// Returns the first token that ends after a position, or else the last one.
    pub fn at(&self, place: usize) -> TokenIndex {
        let block = self.blocks.partition_point(|&start| start as usize <= place) as u32;
        let mut low = TokenIndex::new(block.saturating_sub(1) * BLOCK);
        let mut high = TokenIndex::new(block * BLOCK).min(self.last());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.end(middle) as usize <= place { low = middle + 1 } else { high = middle }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A xorshift generator.
    fn random(state: &mut u64, limit: u32) -> u32 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 33) as u32 % limit
    }

    /// The expected parts of each token: kind, start, inner, end, and closer.
    type Plain = (TokenKind, u32, u32, u32, Option<u32>);

    /// Returns a buffer of random tokens, and the same tokens as a list.
    fn sample(state: &mut u64, count: u32) -> (Tokens, Vec<Plain>) {
        use TokenKind::*;
        let (mut tokens, mut plain) = (Tokens::for_source(64), Vec::<Plain>::new());
        let (mut at, mut open) = (0, Vec::new());
        for index in 0..count {
            at += [0, 0, 1, 7, 300, 70_000][random(state, 6) as usize];
            let length = [0, 1, 1, 5, 255, 256, 100_000][random(state, 7) as usize];
            match random(state, 4) {
                0 => {
                    let kind = [Value, OpenParen, Template, Interpolation, ForDirective][random(state, 5) as usize];
                    let length = if random(state, 3) > 0 { kind.usual_length() } else { length };
                    tokens.push_opener(kind, at as usize, (at + length) as usize);
                    plain.push((kind, at, at + 1, at + length, None));
                    open.push(index);
                    at += length;
                }
                1 if !open.is_empty() => {
                    let opener = open.swap_remove(random(state, open.len() as u32) as usize);
                    tokens.set_closer(TokenIndex::new(opener), TokenIndex::new(index));
                    tokens.push(CloseParen, at as usize, (at + length) as usize);
                    plain[opener as usize].4 = Some(index);
                    plain.push((CloseParen, at, at + 1, at + length, None));
                    at += length;
                }
                2 => {
                    let inner = at + 1 + length;
                    tokens.push_with_gap(GetAttr, at as usize, inner as usize, inner as usize + 3);
                    plain.push((GetAttr, at, inner, inner + 3, None));
                    at = inner + 3;
                }
                _ => {
                    tokens.push(Identifier, at as usize, (at + length) as usize);
                    plain.push((Identifier, at, at + 1, at + length, None));
                    at += length;
                }
            }
        }
        tokens.sort();
        (tokens, plain)
    }

    fn compare(tokens: &Tokens, plain: &[Plain]) {
        assert_eq!(tokens.len() as usize, plain.len());
        for (index, &(kind, start, inner, end, closer)) in (0..).map(TokenIndex::new).zip(plain) {
            assert_eq!((tokens.kind(index), tokens.start(index), tokens.end(index)), (kind, start, end), "{index:?}");
            assert_eq!(tokens.span(index), Span::of(start, end));
            if kind == TokenKind::GetAttr {
                assert_eq!(tokens.name_span(index), Span::of(inner, end));
            }
            if kind.is_opener() {
                assert_eq!(tokens.closer(index), closer.map_or(tokens.last(), TokenIndex::new), "{index:?}");
            }
            for place in [start, end.saturating_sub(1), end] {
                let expected = plain.iter().position(|token| token.3 > place).unwrap_or(plain.len() - 1);
                assert_eq!(tokens.at(place as usize).as_usize(), expected, "{place}");
            }
        }
    }

    #[test]
    fn tokens_are_what_was_pushed() {
        let mut state = 0x9e37_79b9_7f4a_7c15;
        for count in 1..60 {
            let (tokens, plain) = sample(&mut state, 13 * count);
            compare(&tokens, &plain);
        }
    }

    #[test]
    fn tokens_can_be_thrown_away() {
        let mut state = 0x2545_f491_4f6c_dd1d;
        for _ in 0..60 {
            let (mut tokens, mut plain) = sample(&mut state, 500);
            let len = 1 + random(&mut state, 499);
            // Tokens whose closer is thrown away are not compared.
            plain.truncate(len as usize);
            plain
                .iter_mut()
                .filter(|token| token.4.is_some_and(|closer| closer >= len))
                .for_each(|token| token.0 = TokenKind::Illegal);
            tokens.far.sort_by_key(|far| far.1);
            tokens.truncate(TokenIndex::new(len), plain[len as usize - 1].3 as usize);
            tokens.sort();
            for (index, token) in (0..).map(TokenIndex::new).zip(&mut plain) {
                if token.0 == TokenKind::Illegal {
                    token.0 = tokens.kind(index);
                    token.4 = Some(tokens.closer(index).get());
                }
            }
            compare(&tokens, &plain);
        }
    }

    #[test]
    fn skipped_text_is_cut_with_the_tokens() {
        let mut tokens = Tokens::for_source(100);
        for (start, end) in [(3, 4), (4, 6), (10, 12), (20, 21)] {
            tokens.skip(Span::new(start, end));
        }
        assert_eq!(tokens.skipped(0), Some(Span::new(3, 6)));
        assert_eq!(tokens.skipped(6), Some(Span::new(10, 12)));
        tokens.truncate(TokenIndex::FIRST, 11);
        assert_eq!(tokens.skipped(6), Some(Span::new(10, 11)));
        assert_eq!(tokens.skipped(11), None);
    }
}
