//! The state of a round: a run of a grammar over the regions that wait for it, with its retries.

use super::builder::{BadPiece, Region};
use crate::syntax::index::{ListIndex, TokenIndex};

/// A round in progress. The [`Builder`](super::builder::Builder) has the output of the grammars' actions; this has the
/// state that is needed to continue after an error.
#[derive(Default)]
pub(crate) struct Round {
    /// The regions, in the order in which they are read.
    pub waiting: Vec<Region>,
    /// The number of regions that have their root.
    pub done: usize,
    /// The token from which the current region is read.
    pub resume: TokenIndex,
    /// The number of times that the current region has been read again.
    pub retries: usize,
    /// The pieces of the current region that are left out, in order.
    pub bad: Vec<BadPiece>,
    /// The number of pending nodes when the round began, and at the start of each region.
    pub(super) pending: usize,
    pub(super) checkpoint: Checkpoint,
    pub(super) body: BodyUnderWay,
}

/// The sizes at the start of a region, for rolling back. The waiting regions refer to nodes, so they need not be
/// counted.
#[derive(Clone, Copy, Default)]
pub(super) struct Checkpoint {
    pub nodes: usize,
    pub children: usize,
}

/// The progress in a body: its complete items are kept after an error.
#[derive(Default)]
pub(super) struct BodyUnderWay {
    pub list: Option<ListIndex>,
    /// The number of pending nodes after its last complete item.
    pub pending: usize,
    /// The token after its last complete item.
    pub next: TokenIndex,
}

/// The reaction to an error: whether and how its region is read again.
pub(crate) enum Recovery {
    /// The body is read again from a token on, without some pieces, and keeps the items before that token.
    RetryLines { from: TokenIndex, without: Vec<BadPiece> },
    /// The region is read again from its start without some pieces, of which one is new.
    Retry { without: Vec<BadPiece> },
    /// The region gets an error node as its root, and is not read again.
    LeaveOut,
}

impl Round {
    pub fn new(waiting: Vec<Region>, pending: usize) -> Self {
        let resume = waiting.first().map_or(TokenIndex::FIRST, |first| first.start);
        let body = BodyUnderWay { pending, ..BodyUnderWay::default() };
        Round { waiting, resume, pending, body, ..Round::default() }
    }

    /// Returns the current region: the first one without a root. A region gets its root when the separator after it is
    /// read.
    pub fn region(&self) -> Option<Region> {
        self.waiting.get(self.done).copied()
    }

    /// Notes that another region has its root.
    #[inline]
    pub(super) fn region_is_done(&mut self) {
        self.done += 1;
        self.retries = 0;
    }

    /// The same for a body.
    pub(super) fn body_is_done(&mut self) {
        self.region_is_done();
        self.body.list = None;
        self.body.next = TokenIndex::FIRST;
        if !self.bad.is_empty() {
            self.bad.clear();
        }
    }

    /// Returns the first token of a body that is not part of a complete item.
    pub fn first_unread(&self, region: Region) -> TokenIndex {
        self.body.next.max(region.start)
    }
}
