//! Ids of what files define, and tables that only their own ids index.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index into one kind of [`Table`].
pub(super) trait Id: Copy {
    fn new(index: usize) -> Self;
    fn position(self) -> usize;
}

macro_rules! ids {
    ($($(#[$comment:meta])* $name:ident)+) => {$(
        $(#[$comment])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) struct $name(usize);

        impl Id for $name {
            fn new(index: usize) -> Self {
                $name(index)
            }

            fn position(self) -> usize {
                self.0
            }
        }
    )+};
}

ids! {
    /// Identifies a node, which is anything that can be evaluated.
    NodeId
    /// Identifies a frame.
    FrameId
    /// Identifies a module.
    ModuleId
    /// Identifies a definition.
    DefinitionId
    /// Identifies a function that the files define.
    FunctionId
    /// Identifies a name in the tree of names of a module.
    NameId
    /// Identifies a role.
    RoleId
}

impl FrameId {
    /// The outermost frame, which has one instance.
    pub const ROOT: FrameId = FrameId(0);
}

impl ModuleId {
    /// The files of the application.
    pub const ROOT: ModuleId = ModuleId(0);
}

impl NameId {
    /// The root of the names to which expressions can refer.
    pub const ROOT: NameId = NameId(0);

    /// The root of the names of results, to which the expressions of a module cannot refer.
    pub const RESULTS: NameId = NameId(1);
}

/// A list whose elements have ids.
#[derive(Clone)]
pub(super) struct Table<I, T> {
    items: Vec<T>,
    ids: PhantomData<I>,
}

impl<I: Id, T> Table<I, T> {
    /// Creates a table with an element for each index below `count`.
    pub fn filled(count: usize, make: impl FnMut() -> T) -> Self {
        std::iter::repeat_with(make).take(count).collect()
    }

    /// Adds an element, and returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// Returns the id of the next element.
    pub fn next_id(&self) -> I {
        I::new(self.items.len())
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns the elements from one on.
    pub fn starting_at(&mut self, first: I) -> &mut [T] {
        &mut self.items[first.position()..]
    }

    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.position())
    }

    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.position())
    }

    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.items.retain(keep);
    }

    pub fn reserve(&mut self, additional: usize) {
        self.items.reserve(additional);
    }

    pub fn ids(&self) -> impl ExactSizeIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn pairs(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::new(index), item))
    }
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Table { items: Vec::new(), ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for Table<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> Self {
        Table { items: items.into_iter().collect(), ids: PhantomData }
    }
}

impl<'t, I: Id, T> IntoIterator for &'t Table<I, T> {
    type Item = &'t T;
    type IntoIter = std::slice::Iter<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.position()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.position()]
    }
}

impl<I, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}

/// Items in groups, one group after the other.
pub(super) struct Grouped<I, T> {
    starts: Vec<usize>,
    items: Vec<T>,
    ids: PhantomData<I>,
}

impl<I: Id, T: Copy> Grouped<I, T> {
    /// Groups items by ids. The items of a group keep their order.
    pub fn new(groups: usize, pairs: &[(I, T)]) -> Self {
        let mut starts = vec![0; groups + 1];
        pairs.iter().for_each(|(group, _)| starts[group.position() + 1] += 1);
        for at in 0..groups {
            starts[at + 1] += starts[at];
        }
        let (mut next, mut items) = (starts.clone(), pairs.iter().map(|&(_, item)| item).collect::<Vec<T>>());
        for &(group, item) in pairs {
            items[next[group.position()]] = item;
            next[group.position()] += 1;
        }
        Grouped { starts, items, ids: PhantomData }
    }

    pub fn of(&self, group: I) -> &[T] {
        &self.items[self.starts[group.position()]..self.starts[group.position() + 1]]
    }
}
