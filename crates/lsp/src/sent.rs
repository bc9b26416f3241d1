//! Answers that later requests refer to: lists of completions, and the words of documents.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of lists of completions that are kept: clients ask about the one that they show.
const MAX_LISTS: usize = 4;

/// The maximum number of documents whose words are kept.
const MAX_DOCUMENTS: usize = 64;

/// The answers that a client may still refer to.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    lists: Mutex<Lists>,
    words: Mutex<HashMap<Arc<str>, Words>>,
}

/// The descriptions of the completions that were sent last.
#[derive(Debug, Default)]
struct Lists {
    next: u64,
    kept: VecDeque<(u64, Vec<Option<String>>)>,
}

/// The words of a document as the protocol packs them, with the identifier of the answer.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub id: String,
    pub data: Arc<[u32]>,
}

impl Sent {
    /// Keeps the descriptions of a list of completions. Returns the number of the list.
    pub fn keep_descriptions(&self, descriptions: Vec<Option<String>>) -> u64 {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let number = lists.next;
        lists.next += 1;
        if lists.kept.len() >= MAX_LISTS {
            lists.kept.pop_front();
        }
        lists.kept.push_back((number, descriptions));
        number
    }

    /// Returns the description of an item of a list, in Markdown. `None` if it has none, or if the list is too old.
    pub fn description(&self, list: u64, item: usize) -> Option<String> {
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, descriptions) = lists.kept.iter().find(|(number, _)| *number == list)?;
        descriptions.get(item)?.clone()
    }

    /// Keeps the words of a document. Returns those that were sent before.
    pub fn replace_words(&self, path: &str, words: Words) -> Option<Words> {
        let mut known = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_DOCUMENTS && !known.contains_key(path) {
            known.clear();
        }
        known.insert(path.into(), words)
    }

    /// Drops the words of a document that was closed.
    pub fn forget(&self, path: &str) {
        self.words.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_lists_are_dropped() {
        let sent = Sent::default();
        let first = sent.keep_descriptions(vec![None, Some("one".to_owned())]);
        assert_eq!(sent.description(first, 1).as_deref(), Some("one"));
        assert_eq!((sent.description(first, 0), sent.description(first, 2)), (None, None));
        let later: Vec<u64> = (0..MAX_LISTS).map(|_| sent.keep_descriptions(vec![Some("two".to_owned())])).collect();
        assert_eq!(sent.description(first, 1), None);
        assert!(later.iter().all(|list| sent.description(*list, 0).is_some()));
    }

    #[test]
    fn words_are_those_sent_last() {
        let sent = Sent::default();
        let words = |id: &str| Words { id: id.to_owned(), data: Arc::from([0, 0, 1, 1, 0]) };
        assert!(sent.replace_words("/a.tf", words("1")).is_none());
        assert_eq!(sent.replace_words("/a.tf", words("2")).map(|before| before.id).as_deref(), Some("1"));
        sent.forget("/a.tf");
        assert!(sent.replace_words("/a.tf", words("3")).is_none());
    }
}
