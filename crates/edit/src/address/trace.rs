//! The places where an address finds nothing, and the diagnostic for an address without targets.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::items::{BodyRef, Items};
use super::node::ValueRef;
use super::path::PathStep;
use super::position::At;
use super::{Address, AddressStep, Target};
use hcl_lr::diagnostic::{Code, Diagnostic};
use hcl_lr::internal::count;
use hcl_lr::source::{Place, Source, Span};
use hcl_lr::syntax::{is_identifier, similar_name};

/// The targets of an address, and the places where a step finds nothing.
#[derive(Debug)]
pub struct Trace<'t> {
    pub(crate) targets: Vec<Target<'t>>,
    pub(crate) misses: Vec<Miss<'t>>,
}

impl<'t> Trace<'t> {
    /// Returns the targets, as [`Address::resolve`] does.
    pub fn targets(&self) -> &[Target<'t>] {
        &self.targets
    }

    /// Returns the places where a step found nothing, in the order of the steps. Matches of `**` do not count.
    pub fn misses(&self) -> &[Miss<'t>] {
        &self.misses
    }

    /// Returns the targets alone.
    pub fn into_targets(self) -> Vec<Target<'t>> {
        self.targets
    }
}

/// A place where a step of an address found nothing.
#[derive(Clone)]
pub struct Miss<'t> {
    pub(super) step: usize,
    pub(super) at: At<'t>,
    pub(super) target: Target<'t>,
}

impl<'t> Miss<'t> {
    /// Returns the index of the step that found nothing.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the target of the steps before.
    pub fn target(&self) -> &Target<'t> {
        &self.target
    }

    /// Returns true if the place is a block whose next label differs from the step.
    pub fn is_label(&self) -> bool {
        matches!(&self.at, At::Block(block) if block.next_label().is_some())
    }

    /// Returns the kind of the place and the names that a step could use there.
    fn surroundings(&self) -> (Surroundings, Vec<String>) {
        let body = |body: &BodyRef<'_>| {
            let items = Items::of(body);
            let attributes = items.attributes.iter().map(|(name, _)| name.to_string());
            attributes.chain(items.blocks.iter().map(|block| block.block_type.to_string())).collect()
        };
        match &self.at {
            At::Body(inner) => (Surroundings::File, body(inner)),
            At::Block(block) => match block.next_label() {
                Some(label) => (Surroundings::Labels(block.item().block_type.to_string()), vec![label.to_owned()]),
                None => (Surroundings::Block, body(&block.item().body())),
            },
            At::Node(node) => {
                let mut names = Vec::new();
                let mut elements = 0;
                for (key, _) in node.value().parts() {
                    match key {
                        PathStep::Name(name) => names.push(name.into_owned()),
                        _ => elements += 1,
                    }
                }
                let is_list = match node.value() {
                    ValueRef::Native(value) => value.kind().name() == "list",
                    ValueRef::Json(node) => node.as_array().is_some(),
                };
                let is_object = match node.value() {
                    ValueRef::Native(value) => value.kind().name() == "object",
                    ValueRef::Json(node) => node.as_object().is_some(),
                };
                let kind = match node.value() {
                    _ if is_list => Surroundings::List(elements),
                    _ if is_object => Surroundings::Object,
                    ValueRef::Native(value) => Surroundings::Other(value.kind().name()),
                    ValueRef::Json(_) => Surroundings::Other("value"),
                };
                (kind, names)
            }
        }
    }
}

impl std::fmt::Debug for Miss<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "step {} at {:?}", self.step, self.target)
    }
}

/// The kind of a place where a step finds nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Surroundings {
    File,
    /// Blocks of this type, which have other labels.
    Labels(String),
    Block,
    Object,
    /// A list with this number of elements.
    List(usize),
    /// A value without parts: the kind of its expression.
    Other(&'static str),
}

/// The maximum numbers of names to collect and to list.
const MAX_NAMES: usize = 1_000;
const MAX_LISTED: usize = 8;

/// The reason why an address finds nothing: the first step without a match, and what the file has at that place.
///
/// It can combine several files. Only those count in which the address got farthest.
///
/// ```
/// use std::sync::Arc;
/// use hcl_lr_edit::address::{Address, NotFound};
/// use hcl_lr::source::Source;
///
/// let file = hcl_lr::parse::<hcl_lr::File>("variable \"region\" {}\n").into_result()?;
/// let (address, spans) = Address::parse_with_spans(("ADDRESS", "variable.regoin.default"))?;
/// let mut missing = NotFound::default();
/// missing.add(&address, &address.trace(file.body()));
/// let source = Arc::new(Source::new("ADDRESS", "variable.regoin.default"));
/// assert_eq!(missing.diagnostic(&source, &spans).help(), Some("did you mean `region`?"));
/// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NotFound {
    farthest: Option<Farthest>,
    /// The address of something that matches with `**` before the step, or with other steps.
    elsewhere: Option<String>,
    /// The number of files searched.
    files: usize,
}

#[derive(Clone, Debug)]
struct Farthest {
    step: usize,
    /// The step itself.
    wanted: AddressStep,
    surroundings: Surroundings,
    /// The address of the first place like this, and their number.
    first: String,
    places: usize,
    names: BTreeSet<String>,
}

/// The detail of the diagnostic, which does not need the text of the address.
impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail())
    }
}

impl std::error::Error for NotFound {}

impl NotFound {
    /// Adds a file, with the trace of the address in it.
    pub fn add(&mut self, address: &Address, trace: &Trace<'_>) {
        self.files += 1;
        for miss in trace.misses() {
            let Some(wanted) = address.steps().get(miss.step) else { continue };
            let known = self.farthest.as_ref().map_or(0, |farthest| farthest.step + 1);
            if miss.step + 1 < known {
                continue;
            }
            let (surroundings, names) = miss.surroundings();
            if self.elsewhere.is_none() && surroundings == Surroundings::File {
                self.elsewhere = as_reference(address, miss);
            }
            match &mut self.farthest {
                Some(farthest) if miss.step + 1 == known => {
                    farthest.places += 1;
                    let room = MAX_NAMES.saturating_sub(farthest.names.len());
                    farthest.names.extend(names.into_iter().take(room));
                }
                _ => {
                    self.farthest = Some(Farthest {
                        step: miss.step,
                        wanted: wanted.clone(),
                        surroundings,
                        first: miss.target.address().to_string(),
                        places: 1,
                        names: names.into_iter().take(MAX_NAMES).collect(),
                    });
                }
            }
        }
    }

    /// Adds the result for other files, which come after.
    pub fn merge(&mut self, other: NotFound) {
        self.files += other.files;
        self.elsewhere = self.elsewhere.take().or(other.elsewhere);
        match (&mut self.farthest, other.farthest) {
            (Some(mine), Some(others)) if mine.step == others.step => {
                mine.places += others.places;
                let room = MAX_NAMES.saturating_sub(mine.names.len());
                mine.names.extend(others.names.into_iter().take(room));
            }
            (Some(mine), Some(others)) if mine.step > others.step => {}
            (_, None) => {}
            (mine, others) => *mine = others,
        }
    }

    /// Returns the missing steps if all of them are names that could be added at the place where the address ends.
    ///
    /// ```
    /// use hcl_lr_edit::address::{Address, NotFound};
    ///
    /// let file = hcl_lr::parse::<hcl_lr::File>("a {\n  b = 1\n}\n").into_result()?;
    /// let missing = |text: &str| {
    ///     let address: Address = text.parse().expect("an address");
    ///     let mut why = NotFound::default();
    ///     why.add(&address, &address.trace(file.body()));
    ///     why.missing(&address).map(<[_]>::len)
    /// };
    /// assert_eq!((missing("a.c.d"), missing("a.b.c"), missing("a[1]")), (Some(2), None, None));
    /// # Ok::<(), hcl_lr::diagnostic::Diagnostics>(())
    /// ```
    pub fn missing<'a>(&self, address: &'a Address) -> Option<&'a [AddressStep]> {
        let farthest = self.farthest.as_ref().filter(|_| self.elsewhere.is_none())?;
        let can_have = !matches!(farthest.surroundings, Surroundings::List(_) | Surroundings::Other(_));
        let rest = address.steps().get(farthest.step..).filter(|_| can_have)?;
        rest.iter().all(|step| matches!(step, AddressStep::Name(_))).then_some(rest)
    }

    /// Returns the diagnostic for the address, given its text and the spans of its steps.
    pub fn diagnostic(&self, source: &Arc<Source>, spans: &[Span]) -> Diagnostic {
        let all = Span::new(0, source.text().len());
        let Some(farthest) = &self.farthest else {
            return Diagnostic::error(Code::NothingFound, Place::new(source, all), self.detail());
        };
        let span = spans.get(farthest.step).copied().unwrap_or(all);
        let error = Diagnostic::error(Code::NothingFound, Place::new(source, span), self.detail());
        match self.help(farthest) {
            Some(help) => error.with_help(help),
            None => error,
        }
    }

    /// The detail of the [diagnostic](Self::diagnostic).
    fn detail(&self) -> String {
        match (&self.farthest, self.files) {
            (Some(farthest), files) => farthest.detail(files),
            (None, 0) => "there are no files to look into".to_owned(),
            (None, _) => "nothing has this address".to_owned(),
        }
    }

    fn help(&self, farthest: &Farthest) -> Option<String> {
        if let Some(elsewhere) = &self.elsewhere {
            return Some(format!("its address is `{elsewhere}`"));
        }
        let names = farthest.names.iter().map(String::as_str);
        if let AddressStep::Name(wanted) = &farthest.wanted
            && let Some(similar) = similar_name(wanted, names.clone())
        {
            return Some(format!("did you mean `{similar}`?"));
        }
        let of_value = matches!(farthest.surroundings, Surroundings::Other(_));
        if of_value {
            return Some("an address finds only attributes, blocks and values of the file; `**` reaches the parts of expressions".to_owned());
        }
        if farthest.names.is_empty() {
            return None;
        }
        let listed: Vec<String> = names.take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
        let more = match farthest.names.len() - listed.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let what = match (&farthest.surroundings, farthest.names.len()) {
            (Surroundings::Labels(_), 1) => "the label is",
            (Surroundings::Labels(_), _) => "the labels are",
            (_, 1) => "there is",
            (_, _) => "there are",
        };
        Some(format!("{what} {}{more}", listed.join(", ")))
    }
}

impl Farthest {
    /// Returns the sentence about the step that finds nothing.
    fn detail(&self, files: usize) -> String {
        let wanted = match &self.wanted {
            AddressStep::Name(name) => format!("`{name}`"),
            AddressStep::Index(index) => format!("element {index}"),
            AddressStep::Computed(text) => format!("entry with the key `({text})`"),
            AddressStep::Any | AddressStep::Deep => "part".to_owned(),
        };
        let wanted_block = match &self.wanted {
            AddressStep::Index(index) => format!("block {index}"),
            _ => wanted.clone(),
        };
        let first = &self.first;
        let place = match self.places {
            1 => format!("`{first}`"),
            places => format!("`{first}` and {}", count(places - 1, "other place")),
        };
        match &self.surroundings {
            Surroundings::File if files == 1 => format!("the file has no {wanted} at its top level"),
            Surroundings::File => format!("none of {} has {wanted} at its top level", count(files, "file")),
            Surroundings::Labels(block_type) => match &self.wanted {
                AddressStep::Name(name) => format!("no `{block_type}` block has the label `{name}`"),
                _ => format!("there is no {wanted_block} of the type `{block_type}`"),
            },
            Surroundings::Block => format!("there is no {wanted_block} in {place}"),
            Surroundings::Object => format!("there is no {wanted} in the object {place}"),
            Surroundings::List(elements) => {
                format!("there is no {wanted} in the list {place}, which has {}", count(*elements, "element"))
            }
            Surroundings::Other(kind) => format!("there is no {wanted} in {place}: the value is written as a {kind}"),
        }
    }
}

/// Returns an address for a name as expressions use it: the first step is that name, or the first label of a block
/// with that name.
fn as_reference(address: &Address, miss: &Miss<'_>) -> Option<String> {
    let (AddressStep::Name(first), rest) = address.steps().split_first()? else { return None };
    let At::Body(body) = &miss.at else { return None };
    let items = Items::of(body);
    let mut steps: Vec<AddressStep> = match first.as_str() {
        "var" => vec![AddressStep::Name("variable".to_owned())],
        "local" => vec![AddressStep::Name("locals".to_owned()), AddressStep::Any],
        _ => {
            let block = items.blocks.iter().find(|block| {
                let second = rest.first().filter(|_| block.labels.len() > 1);
                block.labels.first().is_some_and(|label| label == first)
                    && second.is_none_or(|step| match (step, block.labels.get(1)) {
                        (AddressStep::Name(name), Some(label)) => name == label,
                        (AddressStep::Any, _) => true,
                        _ => false,
                    })
            })?;
            vec![AddressStep::Name(block.block_type.to_string()), AddressStep::Name(first.clone())]
        }
    };
    let Some(AddressStep::Name(block_type)) = steps.first() else { return None };
    if !is_identifier(block_type) || !items.blocks.iter().any(|block| block.block_type == block_type.as_str()) {
        return None;
    }
    steps.extend(rest.iter().cloned());
    Some(Address { steps }.to_string())
}
