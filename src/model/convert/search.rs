//! Intermediate results of a search for a conversion, or for a type that unifies others.
//!
//! Both examine the same types repeatedly: the type of a list depends on what its elements convert to, and so does each
//! element's. Results for deep types are cached, so that each question is answered once. As keys of the cache, types
//! have numbers: equal types have the same number, and shared parts are visited once.

use super::Safety;
use super::plan::Plan;
use crate::limits::{Account, Exceeded};
use crate::model::capsule::CapsuleType;
use crate::model::text::Text;
use crate::model::types::{CollectionKind, Type};
use crate::work;
use std::collections::HashMap;

type Table<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Results for types up to this height are not cached: computing them is faster than a lookup.
const SHALLOW: u32 = 3;

/// The approximate bytes of a kept answer.
const ANSWER: u64 = 128;

/// A search with its budget.
pub(crate) struct Search<'a> {
    pub account: &'a Account,
    numbers: Numbers,
    plans: Table<((u32, u32), Safety), Option<Plan>>,
    /// Safely and unsafely.
    unified: [Table<Vec<u32>, Option<Type>>; 2],
    settled: Table<(u32, u32), Type>,
}

impl<'a> Search<'a> {
    pub fn new(account: &'a Account) -> Self {
        Search {
            account,
            numbers: Numbers::default(),
            plans: Table::default(),
            unified: [Table::default(), Table::default()],
            settled: Table::default(),
        }
    }

    /// Counts steps.
    pub fn steps(&self, steps: usize) -> Result<(), Exceeded> {
        work::step(steps);
        self.account.steps(steps as u64)
    }

    /// Returns true if two types are equal.
    pub fn same(&mut self, a: &Type, b: &Type) -> bool {
        if a.height() != b.height() || a.size() != b.size() {
            return false;
        }
        if a.height() <= SHALLOW { a == b } else { self.number(a) == self.number(b) }
    }

    /// The number of a type.
    pub fn number(&mut self, ty: &Type) -> u32 {
        self.numbers.of(ty, self.account)
    }

    /// Returns the cache key for two types, if their result is cached.
    pub(super) fn pair(&mut self, from: &Type, to: &Type) -> Option<(u32, u32)> {
        if from.height().max(to.height()) <= SHALLOW {
            return None;
        }
        Some((self.number(from), self.number(to)))
    }

    /// The plan that was found before.
    pub(super) fn known_plan(&self, pair: Option<(u32, u32)>, safety: Safety) -> Option<Option<Plan>> {
        self.plans.get(&(pair?, safety)).cloned()
    }

    pub(super) fn keep_plan(&mut self, pair: Option<(u32, u32)>, safety: Safety, plan: &Option<Plan>) {
        if let Some(pair) = pair.filter(|_| self.account.bytes(ANSWER).is_ok()) {
            self.plans.insert((pair, safety), plan.clone());
        }
    }

    /// Returns the cache key for many types, if their result is cached.
    pub fn list(&mut self, types: &[Type]) -> Option<Vec<u32>> {
        if types.iter().all(|ty| ty.height() <= SHALLOW) {
            return None;
        }
        Some(types.iter().map(|ty| self.number(ty)).collect())
    }

    /// The type that was found before to unify others.
    pub fn known_type(&self, list: &Option<Vec<u32>>, safety: Safety) -> Option<Option<Type>> {
        self.unified[safety as usize].get(list.as_deref()?).cloned()
    }

    pub fn keep_type(&mut self, list: Option<Vec<u32>>, safety: Safety, unified: &Option<Type>) {
        if let Some(list) = list.filter(|list| self.account.bytes(ANSWER + 4 * list.len() as u64).is_ok()) {
            self.unified[safety as usize].insert(list, unified.clone());
        }
    }

    /// Returns the type that values have after a conversion, if it is cached.
    pub(super) fn known_settled(&self, pair: Option<(u32, u32)>) -> Option<Type> {
        self.settled.get(&pair?).cloned()
    }

    pub(super) fn keep_settled(&mut self, pair: Option<(u32, u32)>, settled: &Type) {
        if let Some(pair) = pair.filter(|_| self.account.bytes(ANSWER).is_ok()) {
            self.settled.insert(pair, settled.clone());
        }
    }
}

/// Types by number.
#[derive(Default)]
struct Numbers {
    by_address: Table<usize, u32>,
    by_content: Table<Content, u32>,
    /// So that no address is used again.
    held: Vec<Type>,
}

/// A type, whose parts are known by number.
#[derive(PartialEq, Eq, Hash)]
enum Content {
    Dynamic,
    String,
    Number,
    Bool,
    Capsule(CapsuleType),
    Collection(CollectionKind, u32),
    Tuple(Vec<u32>),
    Object(Vec<(Text, bool, u32)>),
}

impl Numbers {
    /// Returns the number of a type. This and the functions that it calls recurse to the depth of the type, so they
    /// have small frames.
    fn of(&mut self, ty: &Type, account: &Account) -> u32 {
        if let Some(number) = ty.address().and_then(|address| self.by_address.get(&address)) {
            return *number;
        }
        work::step(1);
        let content = match ty {
            Type::List(element) | Type::Set(element) | Type::Map(element) => {
                let element = self.of(element.get(), account);
                ty.collection_kind().map_or(Content::Dynamic, |kind| Content::Collection(kind, element))
            }
            Type::Tuple(tuple) => {
                let mut numbers = Vec::with_capacity(tuple.elements().len());
                for ty in tuple.elements() {
                    numbers.push(self.of(ty, account));
                }
                Content::Tuple(numbers)
            }
            Type::Object(object) => {
                let mut numbers = Vec::with_capacity(object.attributes().len());
                for attribute in object.attributes() {
                    let number = self.of(attribute.ty(), account);
                    numbers.push((attribute.shared_name().clone(), attribute.is_optional(), number));
                }
                Content::Object(numbers)
            }
            plain => Content::of_plain(plain),
        };
        self.keep(ty, content, account)
    }

    fn keep(&mut self, ty: &Type, content: Content, account: &Account) -> u32 {
        let next = self.by_content.len() as u32;
        let number = *self.by_content.entry(content).or_insert(next);
        if let Some(address) = ty.address() {
            // If that is too much, the search ends at its next step.
            let _ = account.steps(1).and_then(|()| account.bytes(ANSWER));
            self.by_address.insert(address, number);
            self.held.push(ty.clone());
        }
        number
    }
}

impl Content {
    fn of_plain(ty: &Type) -> Content {
        match ty {
            Type::String => Content::String,
            Type::Number => Content::Number,
            Type::Bool => Content::Bool,
            Type::Capsule(capsule) => Content::Capsule(capsule.clone()),
            _ => Content::Dynamic,
        }
    }
}
