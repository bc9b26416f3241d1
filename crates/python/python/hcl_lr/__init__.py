"""HCL 2, the language of Terraform, OpenTofu, Packer, Nomad and others: load, edit, check, evaluate and query.

>>> import hcl_lr
>>> config = hcl_lr.loads('''
... service "web" {
...   port = 8080
...   host = var.host
... }
... ''')
>>> config["service"][0]["web"]
{'port': 8080, 'host': Expression('var.host')}
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, TextIO, Tuple, Union, cast

from . import _native
from ._native import Attribute, Block, BodyNode, Document, ExpressionNode, Project, Table
from ._types import (
    AddressError,
    Body,
    Comment,
    Definition,
    Diagnostic,
    Edit,
    EditError,
    EvaluationError,
    Expression,
    Fix,
    HclError,
    ImportedSchema,
    InternalError,
    NotFoundError,
    ParseError,
    Place,
    Row,
    SchemaError,
    Sensitive,
    Unknown,
)

__version__ = _native.VERSION

__all__ = [
    "AddressError",
    "Attribute",
    "Block",
    "Body",
    "BodyNode",
    "Comment",
    "Definition",
    "Diagnostic",
    "Document",
    "Edit",
    "EditError",
    "EvaluationError",
    "Expression",
    "ExpressionNode",
    "Fix",
    "HclError",
    "ImportedSchema",
    "InternalError",
    "NotFoundError",
    "ParseError",
    "Place",
    "Project",
    "Row",
    "SchemaError",
    "Sensitive",
    "Table",
    "Unknown",
    "check",
    "dump",
    "dumps",
    "evaluate",
    "evaluate_file",
    "format",
    "load",
    "loads",
    "parse",
    "parse_file",
    "query",
    "query_table",
    "render",
    "schema_docs",
    "schema_import",
    "schema_json",
]

Source = Union[str, "os.PathLike[str]", Tuple[str, Union[str, bytes]]]
Progress = Callable[[int, int], object]


def loads(
    text: str,
    *,
    name: str = "<string>",
    json: bool = False,
    parse_float: Optional[Callable[[str], Any]] = None,
) -> Body:
    """Returns the contents of a text as a dict.

    Constants become objects of Python: numbers are ``int``, or ``Decimal`` if they have a fraction, unless `parse_float`
    makes something else of their text. Anything else, such as a reference, becomes an `Expression`. Blocks are lists of
    dicts: one dict for each label, and a `Body` inside.

    With `json`, the text is in the JSON syntax of HCL. Blocks are then the objects that they are in the text, because only
    a schema could tell them from arguments.

    >>> loads('name = "x"\\nsize = 1.50\\nregion = var.region\\n')
    {'name': 'x', 'size': Decimal('1.5'), 'region': Expression('var.region')}
    >>> loads('size = 1.5\\n', parse_float=float)
    {'size': 1.5}
    >>> loads('rule "a" {}\\nrule "b" {}\\n')
    {'rule': [{'a': {}}, {'b': {}}]}
    >>> loads('{"name": "x", "region": "${var.region}"}', json=True)
    {'name': 'x', 'region': Expression('var.region')}

    Raises `ParseError` if the text has errors.
    """
    return _native.loads(text, name, json, parse_float)


def load(file: TextIO, *, parse_float: Optional[Callable[[str], Any]] = None) -> Body:
    """Returns the contents of an open file as a dict, like `loads`. A name that ends in ``.json`` means JSON syntax.

    >>> import io
    >>> load(io.StringIO("a = [1, true, null]"))
    {'a': [1, True, None]}
    """
    name = getattr(file, "name", "<string>")
    name = name if isinstance(name, str) else "<string>"
    return loads(file.read(), name=name, json=name.lower().endswith(".json"), parse_float=parse_float)


def dumps(data: Mapping[str, Any]) -> str:
    """Returns the text of a dict, in canonical layout.

    Strings become strings of HCL, with all that has a meaning escaped; an `Expression` is written as it is.

    >>> print(dumps({"a": "${x}", "b": Expression("var.b"), "tags": {"Name": "web"}}), end="")
    a = "$${x}"
    b = var.b
    tags = {
      Name = "web"
    }
    >>> text = 'b "x" {\\n  y = [1, z]\\n}\\n'
    >>> dumps(loads(text)) == text
    True
    """
    return _native.dumps(dict(data))


def dump(data: Mapping[str, Any], file: TextIO) -> None:
    """Writes a dict to an open file, like `dumps`.

    >>> import io
    >>> file = io.StringIO()
    >>> dump({"a": 1}, file)
    >>> file.getvalue()
    'a = 1\\n'
    """
    file.write(dumps(data))


def parse(text: str, *, name: str = "<string>", strict: bool = True, json: bool = False) -> Document:
    """Returns a text as a `Document`, which can be read and changed without loss.

    >>> doc = parse('# The port.\\nport   = 80 # fixed\\n')
    >>> doc.set("port", 8080)
    >>> print(doc, end="")
    # The port.
    port   = 8080 # fixed

    With ``strict=False``, a text with errors is no exception: the document has what can be read, and `diagnostics`.

    With `json`, the text is in the JSON syntax of HCL. The name says which properties are blocks, as for the programs:
    ``main.tf.json`` is Terraform. Without a known name, all are arguments.

    >>> doc = parse('{"output": {"a": {}}}', name="main.tf.json", json=True)
    >>> doc.append("output.a", "value = var.b")
    >>> print(doc)
    {"output": {"a": {"value": "${var.b}"}}}
    >>> doc.blocks("output")
    [<Block output "a">]
    """
    return Document(text, name, strict, json)


def parse_file(path: Union[str, "os.PathLike[str]"], *, strict: bool = True) -> Document:
    """Returns a file as a `Document`. A name that ends in ``.json`` means JSON syntax.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "main.tf")
    >>> _ = path.write_text('locals {\\n  a = 1\\n}\\n')
    >>> parse_file(path).get("locals.a")
    1
    """
    with open(path, encoding="utf-8", newline="") as file:
        name = os.fspath(path)
        return Document(file.read(), name, strict, name.lower().endswith(".json"))


def check(text: str, *, name: str = "<string>", schema: Optional[str] = None) -> List[Diagnostic]:
    """Returns all that is wrong with a text.

    Without a schema, the name decides the language, as for the program ``hcl check``: ``main.tf`` is Terraform. A schema
    is the name of a shipped language or the path of a schema file.

    >>> for problem in check('resource "aws_instance" {\\n}\\n', name="main.tf"):
    ...     print(problem)
    main.tf:1:25: error: too few or too many labels: this "resource" block needs a label here: its name
    """
    found: List[Diagnostic] = _native.check(text, name, schema)
    return found


def format(text: str, *, terraform: bool = False) -> str:
    """Returns a text in canonical layout; with `terraform`, also by the rules of ``terraform fmt``.

    >>> format("a=1\\nbcd   =2\\n")
    'a   = 1\\nbcd = 2\\n'
    """
    return _native.format(text, terraform)


def evaluate(
    text: str,
    variables: Optional[Mapping[str, Any]] = None,
    functions: Optional[Mapping[str, Callable[..., Any]]] = None,
    *,
    name: str = "<string>",
    function_set: str = "extended",
    limits: Optional[Mapping[str, int]] = None,
    timeout: Optional[float] = None,
) -> Any:
    """Returns the value of an expression.

    Numbers are exact. Functions are those of a set, and those that you give, which get and return objects of Python.
    `limits` has the numbers of ``steps``, ``bytes``, ``elements``, ``calls``, the length of ``text`` and the depth of
    ``nesting``; `timeout` is in seconds.

    >>> evaluate("1.1 * 1.1")
    Decimal('1.21')
    >>> evaluate("upper(name)", {"name": "x"})
    'X'
    >>> evaluate("double(x) + 1", {"x": 20}, {"double": lambda x: 2 * x})
    41
    >>> evaluate('"${x}!"', {"x": Unknown("string")})
    Unknown(type='string')
    >>> evaluate('"${x}!"', {"x": Sensitive("secret")})
    Sensitive(...)

    Raises `ParseError` or `EvaluationError`.
    """
    return _evaluated("expression", text, variables, functions, name, function_set, limits, timeout)


def render(
    text: str,
    variables: Optional[Mapping[str, Any]] = None,
    functions: Optional[Mapping[str, Callable[..., Any]]] = None,
    *,
    name: str = "<string>",
    function_set: str = "extended",
    limits: Optional[Mapping[str, int]] = None,
    timeout: Optional[float] = None,
) -> Any:
    """Returns the result of a template: text with ``${…}`` and ``%{…}``.

    >>> render("Hello, ${name}!%{ for x in xs } ${x}%{ endfor }", {"name": "Ada", "xs": [1, 2]})
    'Hello, Ada! 1 2'
    """
    return _evaluated("template", text, variables, functions, name, function_set, limits, timeout)


def evaluate_file(
    text: str,
    variables: Optional[Mapping[str, Any]] = None,
    functions: Optional[Mapping[str, Callable[..., Any]]] = None,
    *,
    name: str = "<string>",
    function_set: str = "extended",
    limits: Optional[Mapping[str, int]] = None,
    timeout: Optional[float] = None,
) -> Dict[str, Any]:
    """Returns the values of a file: its arguments, and its blocks by type, then by label, then as a list.

    >>> evaluate_file('rule "a" {\\n  port = base + 1\\n}\\n', {"base": 80})
    {'rule': {'a': [{'port': 81}]}}
    """
    result: Dict[str, Any] = _evaluated("file", text, variables, functions, name, function_set, limits, timeout)
    return result


def _evaluated(
    kind: str,
    text: str,
    variables: Optional[Mapping[str, Any]],
    functions: Optional[Mapping[str, Callable[..., Any]]],
    name: str,
    function_set: str,
    limits: Optional[Mapping[str, int]],
    timeout: Optional[float],
) -> Any:
    value, diagnostics = _native.evaluate(
        text,
        name,
        kind,
        None if variables is None else dict(variables),
        None if functions is None else dict(functions),
        function_set,
        None if limits is None else dict(limits),
        timeout,
    )
    errors = [one for one in diagnostics if one.is_error]
    if errors:
        message = "\n".join(str(error) for error in errors)
        raise EvaluationError(message, errors)
    return value


def query(
    sources: Union[Source, Iterable[Source]],
    address: str,
    *,
    where: Optional[str] = None,
    select: Optional[str] = None,
    missing: bool = False,
    schema: Optional[str] = None,
    threads: int = 0,
    limits: Optional[Mapping[str, int]] = None,
    timeout: Optional[float] = None,
    text: bool = True,
    progress: Optional[Progress] = None,
) -> List[Row]:
    """Finds parts of files by an address and a condition.

    Sources are paths of files and folders, or pairs of a name and a text. Both syntaxes are searched, on all cores unless
    `threads` says how many. An error in a file is a row, and the others are still searched. `progress` is called with the
    number of files so far, and of all.

    The language of addresses, of `where` and of `select` is that of the program ``hcl query``.

    >>> text = 'variable "a" {}\\nvariable "b" {\\n  description = "B"\\n}\\n'
    >>> [row.address for row in query(("main.tf", text), "variable[*]", where="!has(description)")]
    ['variable.a']
    >>> [row.value for row in query([("main.tf", text)], "variable[*]", select="node.name")]
    ['a', 'b']
    """
    arguments = _search(address, where, select, missing, schema, threads, limits, timeout, text)
    rows: List[Row] = _native.query(_sources(sources), arguments, progress)
    return rows


def query_table(
    sources: Union[Source, Iterable[Source]],
    address: str,
    *,
    where: Optional[str] = None,
    select: Optional[str] = None,
    missing: bool = False,
    schema: Optional[str] = None,
    threads: int = 0,
    limits: Optional[Mapping[str, int]] = None,
    timeout: Optional[float] = None,
    text: bool = False,
    progress: Optional[Progress] = None,
) -> Table:
    """Finds parts of files like `query`, and returns an Arrow table.

    The table has the PyCapsule interface of Arrow: ``pyarrow.table(t)``, ``polars.DataFrame(t)`` and DuckDB take it without
    a copy. Its columns are always ``file``, ``status``, ``line``, ``column``, ``end_line``, ``address``, ``kind``, ``type``,
    ``name``, ``labels``, ``value`` (as JSON), ``text`` and ``error``.

    >>> table = query_table(("main.tf", "a = 1\\nb = 2\\n"), "[*]", where="self > 1")
    >>> table.num_rows
    1
    """
    arguments = _search(address, where, select, missing, schema, threads, limits, timeout, text)
    return _native.query_table(_sources(sources), arguments, progress)


def _sources(sources: Union[Source, Iterable[Source]]) -> List[Source]:
    if isinstance(sources, (str, os.PathLike)):
        return [sources]
    if isinstance(sources, tuple) and len(sources) == 2:
        name, text = sources
        # Two paths are a tuple of two texts, too. A path has no line end, and is there.
        is_path = not isinstance(text, str) or ("\n" not in text and os.path.exists(text))
        if isinstance(name, str) and isinstance(text, (str, bytes)) and (isinstance(text, bytes) or not is_path):
            return [(name, text)]
    return list(cast("Iterable[Source]", sources))


def _search(
    address: str,
    where: Optional[str],
    select: Optional[str],
    missing: bool,
    schema: Optional[str],
    threads: int,
    limits: Optional[Mapping[str, int]],
    timeout: Optional[float],
    texts: bool,
) -> Dict[str, Any]:
    return {
        "address": address,
        "condition": where,
        "select": select,
        "missing": missing,
        "schema": schema,
        "threads": threads,
        "limits": None if limits is None else dict(limits),
        "timeout": timeout,
        "texts": texts,
    }


def schema_docs(schema: str) -> str:
    """Returns the documentation of a schema in Markdown: of a shipped language, or of a schema file.

    >>> schema_docs("vault-policy").splitlines()[0]
    '# Vault policies'
    """
    return _native.schema_document(schema, "markdown")


def schema_json(schema: str) -> str:
    """Returns the JSON Schema of a schema: of a shipped language, or of a schema file.

    >>> import json
    >>> json.loads(schema_json("vault-policy"))["$schema"]
    'https://json-schema.org/draft/2020-12/schema'
    """
    return _native.schema_document(schema, "json")


def schema_import(json_schema: str, *, name: str = "language") -> ImportedSchema:
    """Returns a schema file for what a JSON Schema describes.

    The schema accepts all files that the JSON Schema accepts. Keywords without a counterpart are in `lost`, by their
    places. `name` is the name of the language, and of its files: ``*.language.hcl`` and ``*.language.json``.

    >>> imported = schema_import('{"properties": {"port": {"type": "integer", "multipleOf": 2}}}', name="service")
    >>> imported.lost
    ('/properties/port/multipleOf',)
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "service.schema.hcl")
    >>> _ = path.write_text(imported.text)
    >>> [str(problem) for problem in check("port = []\\n", name="a.service.hcl", schema=str(path))]
    ['a.service.hcl:1:8: error: unsuitable value: a whole number is required here, not a list']

    Raises `ParseError` if the text is not JSON.
    """
    text, lost = _native.schema_import(json_schema, name)
    return ImportedSchema(text, tuple(lost))
