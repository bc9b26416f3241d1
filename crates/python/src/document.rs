//! Documents: files that can be read and changed without loss.

use std::ffi::CString;
use std::sync::{PoisonError, RwLock};

use hcl_lr::construct::NewExpression;
use hcl_lr::diagnostic::Diagnostics;
use hcl_lr::format::Style;
use hcl_lr::source::Source;
use hcl_lr_cli::embed::missing_item;
use hcl_lr_edit::address::{Address, NotFound};
use hcl_lr_edit::query::Query;
use hcl_lr_edit::{EditError, Editor, InsertionPoint, Item, NewItem};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::guard::released;
use crate::node::Node;
use crate::nodes::{self, Handle};
use crate::parsed::Parsed;
use crate::report;
use crate::values::{not_built, to_expression};

/// A file of either syntax that can be read and changed. Everything that is not changed stays as it is written: layout,
/// comments, order.
///
/// Nodes, such as blocks, belong to the state of the document from which they come. An edit makes a new state; nodes of
/// an earlier one can still be read.
///
/// >>> from hcl_lr import parse
/// >>> doc = parse("service {\n  port = 80 # fixed\n  zones = [\"a\"]\n}\n")
/// >>> doc.set("service.port", 8080)
/// >>> doc.set("service.tags.Name", "web", create=True)
/// >>> doc.append("service.zones", '"b"')
/// >>> doc.move("service.zones", before="service.port")
/// >>> doc.rename("service.zones", "regions")
/// >>> doc.comment("service", "The service.")
/// >>> print(doc, end="")
/// # The service.
/// service {
///   regions = ["a", "b"]
///   port = 8080 # fixed
///   tags = {
///     Name = "web"
///   }
/// }
/// >>> doc.get("service.port"), doc.get("service.host", "none"), "service.port" in doc
/// (8080, 'none', True)
/// >>> doc.remove("service")
/// >>> str(doc)
/// ''
///
/// In the JSON syntax, the methods take the same addresses, values and texts in HCL. The name of the file says which
/// properties are blocks. There are no comments: those of new text are left out, with a `UserWarning`.
///
/// >>> from hcl_lr import Expression
/// >>> doc = parse('{"module": {"vpc": {"source": "./vpc", "cidr": "${var.cidr}"}}}', name="main.tf.json", json=True)
/// >>> doc.set("module.vpc.name", Expression("local.name"), create=True)
/// >>> print(doc)
/// {"module": {"vpc": {"source": "./vpc", "cidr": "${var.cidr}", "name": "${local.name}"}}}
/// >>> doc.blocks("module")[0].labels, doc.get("module.vpc.cidr")
/// (['vpc'], Expression('var.cidr'))
#[pyclass(frozen, module = "hcl_lr")]
pub struct Document {
    state: RwLock<State>,
}

#[derive(Clone)]
struct State {
    file: Parsed,
    diagnostics: Diagnostics,
}

/// The place of an edit: an address, or a node.
enum At {
    Address(Address),
    Node(Handle),
}

/// The reason why an edit is not made.
enum Refusal {
    Edit(EditError),
    Message(String),
    NotFound(Diagnostics),
}

/// The reason why a node of another state of the document is not changed.
const ELSEWHERE: &str =
    "the document has changed since this node was read, or the node is of another document; get the node again";

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Refusal {
        Refusal::Edit(error)
    }
}

impl Refusal {
    fn several(address: &Address, matches: usize) -> Refusal {
        Refusal::Message(format!("`{address}` matches {matches} places; pass `all=True` to change all"))
    }

    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Refusal::Edit(EditError::NewErrors(wrong)) => report::failed(py, "EditError", &wrong),
            Refusal::Edit(EditError::NameTaken(wrong)) => report::failed(py, "EditError", &(*wrong).into()),
            Refusal::Edit(EditError::Build(wrong)) => not_built(py, &wrong),
            Refusal::Edit(EditError::Elsewhere) => report::error(py, "EditError", ELSEWHERE),
            Refusal::Edit(other) => report::error(py, "EditError", &other.to_string()),
            Refusal::Message(message) => report::error(py, "EditError", &message),
            Refusal::NotFound(wrong) => report::failed(py, "NotFoundError", &wrong),
        }
    }
}

/// Returns the address of a text.
///
/// # Errors
/// The exception `AddressError`.
pub fn address(py: Python<'_>, text: &str) -> PyResult<Address> {
    if text == "." {
        return Ok(Address::root());
    }
    text.parse().map_err(|wrong: Diagnostics| report::failed(py, "AddressError", &wrong))
}

impl At {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<At> {
        if let Ok(text) = object.cast::<PyString>() {
            return address(object.py(), &text.to_cow()?).map(At::Address);
        }
        match Handle::from_object(object) {
            Some(handle) => Ok(At::Node(handle)),
            None => Err(PyTypeError::new_err("a place is an address or a node of the document")),
        }
    }

    /// Returns the nodes of a file; several only if all are wanted. The editor refuses a node of another file.
    fn nodes<'f>(&'f self, file: &'f Parsed, all: bool) -> Result<Vec<Node<'f>>, Refusal> {
        match self {
            At::Node(handle) => Ok(vec![handle.node().clone()]),
            At::Address(address) => {
                let found = Node::find(file, address);
                match found.len() {
                    0 => Err(not_found(file, address)),
                    1 => Ok(found),
                    _ if all => Ok(found),
                    several => Err(Refusal::several(address, several)),
                }
            }
        }
    }

    /// Returns the only node of a file.
    fn node<'f>(&'f self, file: &'f Parsed) -> Result<Node<'f>, Refusal> {
        Ok(self.nodes(file, false)?.remove(0))
    }

    fn items<'f>(&'f self, file: &'f Parsed, all: bool) -> Result<Vec<Item<'f>>, Refusal> {
        self.nodes(file, all)?.iter().map(|node| Ok(node.item()?)).collect()
    }
}

impl Document {
    fn new(file: Parsed, diagnostics: Diagnostics) -> Document {
        Document { state: RwLock::new(State { file, diagnostics }) }
    }

    /// Returns the state now. Edits of other threads make new states, and leave this one alone.
    fn now(&self) -> Parsed {
        self.state.read().unwrap_or_else(PoisonError::into_inner).file.clone()
    }

    /// Makes an edit: reads the state, computes a new one, and sets it, all without the lock of the interpreter. Edits of
    /// other threads wait. An edit that loses comments is made again after the warning, which the program may have made an
    /// exception.
    fn edit(
        &self,
        py: Python<'_>,
        places: Vec<At>,
        change: impl for<'f> Fn(&'f Parsed, &'f [At], &mut Editor<'f>) -> Result<(), Refusal> + Send + Sync,
    ) -> PyResult<()> {
        let attempt = |may_lose: bool| {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            let file = state.file.clone();
            let mut editor = file.editor();
            change(&file, &places, &mut editor)?;
            let edited = editor.finish()?;
            let lost = edited.comments_left_out();
            if lost > 0 && !may_lose {
                return Ok(lost);
            }
            let edited = Parsed::after(edited).ok_or(EditError::Elsewhere)?;
            *state = State { file: edited, diagnostics: Diagnostics::new() };
            Ok::<_, Refusal>(0)
        };
        let lost = released(py, || attempt(false))?.map_err(|refusal| refusal.raise(py))?;
        if lost > 0 {
            let comments = if lost == 1 { "comment" } else { "comments" };
            let message = CString::new(format!("JSON has no comments: {lost} {comments} left out"))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
            released(py, || attempt(true))?.map_err(|refusal| refusal.raise(py))?;
        }
        Ok(())
    }

    fn body_handle(&self) -> Handle {
        let file = self.now();
        let mut handles = Handle::of(&file, |file| vec![Node::of_file(file)]);
        handles.remove(0)
    }
}

/// Sets values, and adds those that are missing, with the blocks and objects that they are in.
fn set_or_create<'f>(
    file: &'f Parsed,
    editor: &mut Editor<'f>,
    address: &Address,
    value: &NewExpression,
    all: bool,
) -> Result<(), Refusal> {
    let answer = Query::new(address.clone()).including_missing().run(file.subject());
    let matches = answer.matches();
    match matches.len() {
        0 => return Err(not_found(file, address)),
        1 => {}
        _ if all => {}
        several => return Err(Refusal::several(address, several)),
    }
    for found in matches {
        if found.missing().is_empty() {
            editor.set(found.target().item()?, value.clone());
            continue;
        }
        let container = found.target().container()?;
        let item = missing_item(file.subject(), (found.target(), container), found.missing(), value.clone());
        editor.insert(InsertionPoint::End(container), item.map_err(Refusal::Message)?);
    }
    Ok(())
}

/// Returns the reason why an address leads to nothing.
fn not_found(file: &Parsed, address: &Address) -> Refusal {
    let mut why = NotFound::default();
    why.add(address, &file.subject().trace(address));
    Refusal::NotFound(why.diagnostic(file.source(), &[]).into())
}

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (text, name = "<string>", strict = true, json = false))]
    fn py_new(py: Python<'_>, text: String, name: &str, strict: bool, json: bool) -> PyResult<Document> {
        let source = Source::new(name, text);
        let (file, diagnostics) = released(py, || Parsed::new(source, json))?;
        if strict && diagnostics.has_errors() {
            return Err(report::failed(py, "ParseError", &diagnostics));
        }
        Ok(Document::new(file, diagnostics))
    }

    /// The name of the file, for messages.
    #[getter]
    fn name(&self) -> String {
        self.now().source().name().to_owned()
    }

    /// The text.
    #[getter]
    fn text(&self) -> String {
        self.now().source().text().to_owned()
    }

    /// True for the JSON syntax.
    #[getter]
    fn json(&self) -> bool {
        self.now().json().is_some()
    }

    /// The errors and warnings of the text.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner).clone();
        report::list(py, &state.diagnostics)
    }

    /// The body of the file.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.body_handle().object(py)
    }

    /// Returns the attributes of the file, all or those with a name.
    #[pyo3(signature = (name = None))]
    fn attributes<'py>(&self, py: Python<'py>, name: Option<&str>) -> PyResult<Bound<'py, PyList>> {
        list(py, &nodes::attributes(&self.body_handle(), name))
    }

    /// Returns the attribute of the file with a name, or None.
    fn attribute<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        nodes::attributes(&self.body_handle(), Some(name)).first().map(|attribute| attribute.object(py)).transpose()
    }

    /// Returns the blocks of the file, all or those of a type whose labels begin with some.
    #[pyo3(signature = (block_type = None, *labels))]
    fn blocks<'py>(
        &self,
        py: Python<'py>,
        block_type: Option<&str>,
        labels: Vec<String>,
    ) -> PyResult<Bound<'py, PyList>> {
        list(py, &nodes::blocks(&self.body_handle(), block_type, &labels))
    }

    /// Returns the attributes and blocks of the file in their order.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &nodes::items(&self.body_handle()))
    }

    /// Returns the comments of the file, each with its text and its place. JSON has none.
    fn comments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let Parsed::Native(file) = self.now() else { return Ok(PyList::empty(py)) };
        let class = report::of_types(py, "Comment")?;
        let comments = file.comments().map(|comment| {
            let place = hcl_lr::source::Place::new(file.source(), comment.span());
            class.call1((comment.content().trim(), comment.text(), report::place(py, &place)?))
        });
        PyList::new(py, comments.collect::<PyResult<Vec<_>>>()?)
    }

    /// Returns all nodes at an address.
    fn find<'py>(&self, py: Python<'py>, at: &str) -> PyResult<Bound<'py, PyList>> {
        let (file, address) = (self.now(), address(py, at)?);
        let found = released(py, || Handle::of(&file, |file| Node::find(file, &address)))?;
        list(py, &found)
    }

    /// Returns the value at an address, or the block. Without one, returns the default.
    #[pyo3(signature = (at, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        at: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (file, address) = (self.now(), address(py, at)?);
        let found = Handle::of(&file, |file| Node::find(file, &address));
        match &found[..] {
            [] => Ok(default),
            [one] if one.node().has_body() => one.object(py).map(Some),
            [one] => one.object(py)?.getattr("value").map(Some),
            several => {
                let message = format!("`{at}` matches {} places; `find` returns all", several.len());
                Err(report::error(py, "EditError", &message))
            }
        }
    }

    /// Sets the value at an address or of a node.
    ///
    /// With `create`, adds the attribute or entry where it is missing, with the objects that it is in. With `all`, sets
    /// all places that the address matches.
    #[pyo3(signature = (at, value, *, create = false, all = false))]
    fn set(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        create: bool,
        all: bool,
    ) -> PyResult<()> {
        let (at, value) = (At::of(at)?, to_expression(value)?);
        self.edit(py, vec![at], |file, at, editor| {
            if create && let At::Address(address) = &at[0] {
                return set_or_create(file, editor, address, &value, all);
            }
            for item in at[0].items(file, all)? {
                editor.set(item, value.clone());
            }
            Ok(())
        })
    }

    /// Removes what is at an address, or a node, with its comments.
    #[pyo3(signature = (at, *, all = false))]
    fn remove(&self, py: Python<'_>, at: &Bound<'_, PyAny>, all: bool) -> PyResult<()> {
        let at = At::of(at)?;
        self.edit(py, vec![at], |file, at, editor| {
            // The contents of a removed item are removed with it.
            let mut end = 0;
            for item in at[0].items(file, all)? {
                if item.span().start() >= end {
                    editor.remove(item);
                }
                end = end.max(item.span().end());
            }
            Ok(())
        })
    }

    /// Adds attributes, blocks, entries or elements, given as text, at the end of a container, or at its start.
    #[pyo3(signature = (at, text, *, start = false, all = false))]
    fn append(&self, py: Python<'_>, at: &Bound<'_, PyAny>, text: String, start: bool, all: bool) -> PyResult<()> {
        let at = At::of(at)?;
        self.edit(py, vec![at], |file, at, editor| {
            for node in at[0].nodes(file, all)? {
                let container = node.container()?;
                let point = if start { InsertionPoint::Start(container) } else { InsertionPoint::End(container) };
                for item in NewItem::parse_for(container, &text)? {
                    editor.insert(point, item);
                }
            }
            Ok(())
        })
    }

    /// Moves an attribute, a block, an entry or an element: before or after another one, or to the end of a container.
    #[pyo3(signature = (at, *, before = None, after = None, into = None))]
    fn r#move(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        before: Option<&Bound<'_, PyAny>>,
        after: Option<&Bound<'_, PyAny>>,
        into: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let at = At::of(at)?;
        let (kind, to) = match (before, after, into) {
            (Some(to), None, None) => (0, At::of(to)?),
            (None, Some(to), None) => (1, At::of(to)?),
            (None, None, Some(to)) => (2, At::of(to)?),
            _ => return Err(PyTypeError::new_err("give one of `before`, `after` and `into`")),
        };
        self.edit(py, vec![at, to], |file, at, editor| {
            let [at, to] = at else { return Ok(()) };
            let point = match kind {
                0 => InsertionPoint::before(to.node(file)?.item()?),
                1 => InsertionPoint::after(to.node(file)?.item()?),
                _ => InsertionPoint::End(to.node(file)?.container()?),
            };
            editor.move_to(at.node(file)?.item()?, point);
            Ok(())
        })
    }

    /// Renames an attribute, an entry, or the type of a block. References to it stay.
    fn rename(&self, py: Python<'_>, at: &Bound<'_, PyAny>, name: String) -> PyResult<()> {
        let at = At::of(at)?;
        self.edit(py, vec![at], |file, at, editor| {
            editor.rename(at[0].node(file)?.item()?, &name);
            Ok(())
        })
    }

    /// Sets the labels of a block. References to it stay.
    fn set_labels(&self, py: Python<'_>, at: &Bound<'_, PyAny>, labels: Vec<String>) -> PyResult<()> {
        let at = At::of(at)?;
        self.edit(py, vec![at], |file, at, editor| {
            editor.set_labels(at[0].node(file)?.item()?, labels.clone());
            Ok(())
        })
    }

    /// Sets the comment above an item, or after it in its line. An empty text removes it. JSON has no comments, which is an
    /// error.
    #[pyo3(signature = (at, text, *, trailing = false, all = false))]
    fn comment(&self, py: Python<'_>, at: &Bound<'_, PyAny>, text: String, trailing: bool, all: bool) -> PyResult<()> {
        let at = At::of(at)?;
        self.edit(py, vec![at], |file, at, editor| {
            let text = Some(&*text).filter(|text| !text.is_empty());
            for item in at[0].items(file, all)? {
                // An expression in a string could have one, but nobody would look for it there.
                if file.json().is_some() {
                    return Err(Refusal::Message("JSON has no comments".to_owned()));
                }
                match trailing {
                    true => editor.set_trailing_comment(item, text),
                    false => editor.set_comment(item, text),
                };
            }
            Ok(())
        })
    }

    /// Formats the document, which must be in native syntax.
    #[pyo3(signature = (*, terraform = false))]
    fn format(&self, py: Python<'_>, terraform: bool) -> PyResult<()> {
        let result = released(py, || {
            let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
            if state.file.json().is_some() {
                return Err(Refusal::Message("only documents in native syntax are formatted, not JSON".to_owned()));
            }
            let source = state.file.source();
            let text = Style::new().with_terraform_rules(terraform).format(source.text());
            let (file, diagnostics) = Parsed::new(Source::new(source.name(), text), false);
            *state = State { file, diagnostics };
            Ok(())
        })?;
        result.map_err(|refusal| refusal.raise(py))
    }

    /// Returns the contents as `load` does.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        nodes::dict(py, self.body_handle().node())
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<Document {}>", self.name())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Document>().is_ok_and(|other| {
            let (own, other) = (self.now(), other.get().now());
            own.json().is_some() == other.json().is_some() && own.source().text() == other.source().text()
        })
    }

    fn __contains__(&self, at: &str) -> bool {
        at.parse::<Address>().is_ok_and(|address| !Node::find(&self.now(), &address).is_empty())
    }

    fn __copy__(&self) -> Document {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner).clone();
        Document::new(state.file, state.diagnostics)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Document {
        self.__copy__()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let file = self.now();
        let source = file.source();
        let arguments = (source.text(), source.name(), false, file.json().is_some()).into_pyobject(py)?.into_any();
        PyTuple::new(py, [py.get_type::<Document>().into_any(), arguments])
    }
}

fn list<'py>(py: Python<'py>, handles: &[Handle]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, handles.iter().map(|handle| handle.object(py)).collect::<PyResult<Vec<_>>>()?)
}
