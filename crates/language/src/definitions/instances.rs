//! The instances of repeated blocks and modules.

use super::ids::FrameId;
use super::program::Repetition;
use hcl_lr::internal::{Account, Exceeded};
use hcl_lr::model::{MarkSet, Type, Value, View};

/// The instances of a frame: for each instance of the frame around it, one after the other.
pub(super) struct Instances {
    /// For each of them, the instance around it.
    pub parents: Vec<usize>,
    /// For each instance of the frame around it, which of them are its own.
    pub groups: Vec<Group>,
    pub keys: Vec<Key>,
}

/// The instances in one instance of the frame around them.
#[derive(Clone)]
pub(super) struct Group {
    pub start: usize,
    pub end: usize,
    pub kind: GroupKind,
    /// The marks of what they are repeated for.
    pub marks: MarkSet,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// As many as a number says.
    Counted,
    /// One for each element.
    Each,
    /// One, or none at all.
    Optional,
    /// It is not known how many there are; one stands for all of them.
    Unknown,
}

/// The key of an instance.
#[derive(Clone)]
pub(super) enum Key {
    Index(usize),
    /// The only one.
    Only,
    Each {
        name: Box<str>,
        key: Value,
        value: Value,
    },
    /// Any of them. The type is that of the elements that a block is repeated for, as far as it is known.
    Unknown(Type),
}

impl Instances {
    pub fn new() -> Self {
        Instances { parents: Vec::new(), groups: Vec::new(), keys: Vec::new() }
    }

    /// Charges instances before they are made. Lists that grow have room for twice as many.
    pub fn charge(count: usize, account: &Account) -> Result<(), Exceeded> {
        let each = size_of::<Key>() + size_of::<usize>();
        account.steps(count as u64)?;
        account.elements(count)?;
        account.bytes((count as u64).saturating_mul(2 * each as u64))
    }

    /// Returns the bytes that a group with one instance takes.
    pub fn bytes_of_group() -> u64 {
        2 * (size_of::<Group>() + size_of::<Key>() + size_of::<usize>()) as u64
    }

    /// Returns the instances of things that exist once.
    pub fn root() -> Self {
        let group = Group { start: 0, end: 1, kind: GroupKind::Unknown, marks: MarkSet::default() };
        Instances { parents: vec![0], groups: vec![group], keys: vec![Key::Unknown(Type::Dynamic)] }
    }

    /// Unknown ones for so many instances of the frame around.
    pub fn unknown(count: usize) -> Self {
        let mut all = Instances::new();
        for _ in 0..count {
            all.add(vec![Key::Unknown(Type::Dynamic)], GroupKind::Unknown, MarkSet::default());
        }
        all
    }

    /// Adds those of the next instance of the frame around.
    pub fn add(&mut self, keys: Vec<Key>, kind: GroupKind, marks: MarkSet) {
        let (start, parent) = (self.keys.len(), self.groups.len());
        self.parents.extend(keys.iter().map(|_| parent));
        self.keys.extend(keys);
        self.groups.push(Group { start, end: self.keys.len(), kind, marks });
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }
}

/// The place of an evaluation among the instances.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub frame: FrameId,
    pub instance: usize,
}

/// Returns the keys for a count; `None` if it is unknown.
pub(super) fn counted(value: &Value, account: &Account) -> Result<Option<Vec<Key>>, String> {
    if value.is_null() {
        return Err("this must be a number, not null".to_owned());
    }
    // An unknown value whose type is known may be wrong as well.
    let number = value.convert(&Type::Number).map_err(|_| "this must be a number".to_owned())?;
    if !number.is_known() {
        return Ok(None);
    }
    let wrong = || "this must be a whole number that is not negative".to_owned();
    let count = number.as_number().and_then(|number| u64::try_from(number).ok()).ok_or_else(wrong)?;
    let Ok(count) = usize::try_from(count) else { return Ok(None) };
    if Instances::charge(count, account).is_err() {
        return Ok(None);
    }
    Ok(Some((0..count).map(Key::Index).collect()))
}

/// The error for a block that is repeated by something sensitive.
pub(super) fn sensitive_repetition(by: Repetition) -> String {
    match by {
        Repetition::Enabled => "this must not be sensitive: the block is there or not for everyone to see".to_owned(),
        Repetition::ForEach | Repetition::Count => {
            "this must not be sensitive: the addresses of the blocks would show the keys; `nonsensitive` reveals them"
                .to_owned()
        }
    }
}

/// Returns the key for a block that is there or not.
pub(super) fn enabled(value: &Value) -> Result<Option<Vec<Key>>, String> {
    if value.is_null() {
        return Err("this must be true or false, and is null".to_owned());
    }
    let value = value.convert(&Type::Bool).map_err(|_| "this must be true or false".to_owned())?;
    Ok(value.as_bool().map(|is_there| if is_there { vec![Key::Only] } else { Vec::new() }))
}

/// The same for what is repeated for the elements of a collection.
pub(super) fn each(value: &Value, account: &Account) -> Result<Option<Vec<Key>>, String> {
    if value.is_null() {
        return Err("this must be a map, an object or a set of strings, not null".to_owned());
    }
    let wrong =
        || format!("this must be a map, an object or a set of strings, but its type is {}", value.ty().describe());
    if !value.is_known() {
        return if can_repeat(&value.ty()) { Ok(None) } else { Err(wrong()) };
    }
    let count = value.elements().map_or(0, <[Value]>::len);
    if Instances::charge(count, account).is_err() {
        return Ok(None);
    }
    // Each instance has the name of its element.
    let names = match value.view() {
        View::Map(entries) | View::Object(entries) => entries.map(|(name, _)| name.len() as u64).sum(),
        View::Set(elements) => elements.iter().filter_map(Value::as_str).map(|name| name.len() as u64).sum(),
        _ => 0_u64,
    };
    if account.bytes(names).is_err() {
        return Ok(None);
    }
    match value.view() {
        View::Map(entries) | View::Object(entries) => Ok(Some(
            entries
                .map(|(name, value)| Key::Each { name: name.into(), key: Value::from(name), value: value.clone() })
                .collect(),
        )),
        View::Set(elements) => {
            let mut keys = Vec::with_capacity(elements.len());
            for element in elements {
                if !element.is_known() {
                    return Ok(None);
                }
                let name = element.as_str().ok_or_else(wrong)?;
                keys.push(Key::Each { name: name.into(), key: element.clone(), value: element.clone() });
            }
            Ok(Some(keys))
        }
        _ => Err(wrong()),
    }
}

/// Returns true if blocks can be repeated for values of a type.
fn can_repeat(ty: &Type) -> bool {
    // An empty set of any type repeats nothing.
    matches!(ty, Type::Dynamic | Type::Map(_) | Type::Object(_) | Type::Set(_))
}
