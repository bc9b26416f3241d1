//! The indexes that the parser and the tree work with. All are small numbers, but their types cannot be confused.

use std::ops::{Add, AddAssign, Sub, SubAssign};

/// The index of a token in a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TokenIndex(u32);

impl TokenIndex {
    /// No token.
    pub const NONE: TokenIndex = TokenIndex(u32::MAX);
    pub const FIRST: TokenIndex = TokenIndex(0);

    #[inline]
    pub const fn new(index: u32) -> Self {
        TokenIndex(index)
    }

    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    #[inline]
    pub const fn as_usize(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub fn checked_sub(self, count: u32) -> Option<TokenIndex> {
        self.0.checked_sub(count).map(TokenIndex)
    }

    #[inline]
    pub fn saturating_sub(self, count: u32) -> TokenIndex {
        TokenIndex(self.0.saturating_sub(count))
    }

    /// Returns the tokens from this one up to another, excluding that one.
    #[inline]
    pub fn to(self, end: TokenIndex) -> Indexes {
        Indexes(self.0..end.0)
    }
}

/// The value of each symbol in the grammars: an index of a token, a node or a list.
///
/// There is one type for all, so that the stacks of the parsers hold four bytes a symbol. The grammar determines which
/// kind of index a symbol is; a build with debug assertions checks it wherever an action takes the index out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    index: u32,
    #[cfg(debug_assertions)]
    sort: Sort,
}

/// The kinds of indexes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sort {
    Token,
    Node,
    List,
}

impl Symbol {
    #[inline]
    fn new(index: u32, sort: Sort) -> Symbol {
        #[cfg(not(debug_assertions))]
        let _ = sort;
        Symbol {
            index,
            #[cfg(debug_assertions)]
            sort,
        }
    }

    #[inline]
    fn index(self, sort: Sort) -> u32 {
        #[cfg(debug_assertions)]
        assert_eq!(self.sort, sort, "an action of a grammar was given a symbol of another kind");
        #[cfg(not(debug_assertions))]
        let _ = sort;
        self.index
    }

    #[inline]
    pub fn token(self) -> TokenIndex {
        TokenIndex(self.index(Sort::Token))
    }

    #[inline]
    pub fn node(self) -> NodeIndex {
        NodeIndex(self.index(Sort::Node))
    }

    #[inline]
    pub fn list(self) -> ListIndex {
        ListIndex(self.index(Sort::List))
    }
}

impl From<TokenIndex> for Symbol {
    #[inline]
    fn from(token: TokenIndex) -> Symbol {
        Symbol::new(token.0, Sort::Token)
    }
}

impl From<NodeIndex> for Symbol {
    #[inline]
    fn from(node: NodeIndex) -> Symbol {
        Symbol::new(node.0, Sort::Node)
    }
}

impl From<ListIndex> for Symbol {
    #[inline]
    fn from(list: ListIndex) -> Symbol {
        Symbol::new(list.0, Sort::List)
    }
}

/// Tokens one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Indexes(std::ops::Range<u32>);

impl Iterator for Indexes {
    type Item = TokenIndex;

    #[inline]
    fn next(&mut self) -> Option<TokenIndex> {
        self.0.next().map(TokenIndex)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Indexes {
    #[inline]
    fn next_back(&mut self) -> Option<TokenIndex> {
        self.0.next_back().map(TokenIndex)
    }
}

impl ExactSizeIterator for Indexes {}

impl Indexes {
    pub fn start(&self) -> TokenIndex {
        TokenIndex(self.0.start)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Add<u32> for TokenIndex {
    type Output = TokenIndex;

    #[inline]
    fn add(self, count: u32) -> TokenIndex {
        TokenIndex(self.0 + count)
    }
}

impl AddAssign<u32> for TokenIndex {
    #[inline]
    fn add_assign(&mut self, count: u32) {
        self.0 += count;
    }
}

impl Sub<u32> for TokenIndex {
    type Output = TokenIndex;

    #[inline]
    fn sub(self, count: u32) -> TokenIndex {
        TokenIndex(self.0 - count)
    }
}

impl SubAssign<u32> for TokenIndex {
    #[inline]
    fn sub_assign(&mut self, count: u32) {
        self.0 -= count;
    }
}

/// Returns the distance between two tokens.
impl Sub for TokenIndex {
    type Output = u32;

    #[inline]
    fn sub(self, other: TokenIndex) -> u32 {
        self.0 - other.0
    }
}

/// The index of a node in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(u32);

impl NodeIndex {
    /// No node.
    pub const NONE: NodeIndex = NodeIndex(u32::MAX);

    #[inline]
    pub const fn new(index: u32) -> Self {
        NodeIndex(index)
    }

    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    #[inline]
    pub const fn as_usize(self) -> usize {
        self.0 as usize
    }

    /// This node, if it is one.
    #[inline]
    pub fn if_any(self) -> Option<NodeIndex> {
        (self != NodeIndex::NONE).then_some(self)
    }
}

/// The index of a list that a grammar is reading: the number of pending nodes at its beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListIndex(u32);

impl ListIndex {
    #[inline]
    pub const fn new(pending: usize) -> Self {
        ListIndex(pending as u32)
    }

    #[inline]
    pub const fn as_usize(self) -> usize {
        self.0 as usize
    }
}
