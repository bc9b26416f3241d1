"""The classes of values, places and diagnostics, and the exceptions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

__all__ = [
    "AddressError",
    "Body",
    "Comment",
    "Definition",
    "Diagnostic",
    "Edit",
    "EditError",
    "EvaluationError",
    "Expression",
    "Fix",
    "HclError",
    "ImportedSchema",
    "InternalError",
    "NotFoundError",
    "ParseError",
    "Place",
    "Row",
    "SchemaError",
    "Sensitive",
    "Unknown",
]


class Expression(str):
    """The source text of an expression that is not constant, such as ``var.region``.

    `load` returns it for such values, and `dump` and edits write it as it is, while a plain string becomes a string of
    HCL.

    >>> Expression("var.region")
    Expression('var.region')
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Expression({str.__repr__(self)})"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Expression, (str(self),)


class Body(Dict[str, Any]):
    """The contents of a file or a block: a dict of its arguments, with a list for each type of block.

    `dump` writes a list of these as blocks, and any other dict as an object.

    >>> from hcl_lr import dumps
    >>> print(dumps({"service": [{"web": Body(port=80)}]}), end="")
    service "web" {
      port = 80
    }
    """

    __slots__ = ()

    def __reduce__(self) -> Tuple[Any, ...]:
        return Body, (dict(self),)


@dataclass(frozen=True)
class Unknown:
    """A value that is not known yet, of a type such as ``list(string)``; ``any`` if the type is not known either."""

    type: str = "any"

    def __bool__(self) -> bool:
        raise TypeError("an unknown value is neither true nor false")


@dataclass(frozen=True)
class Sensitive:
    """A value that must not be shown. Its text hides it; `value` has it.

    >>> Sensitive("secret")
    Sensitive(...)
    """

    value: Any = field(repr=False)
    marks: Tuple[str, ...] = ("sensitive",)

    def __repr__(self) -> str:
        return "Sensitive(...)"

    __str__ = __repr__


@dataclass(frozen=True)
class Place:
    """A part of a file: lines and columns from 1, and offsets of bytes from 0."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Comment:
    """A comment: what it says, how it is written, and where."""

    content: str
    text: str
    place: Place


@dataclass(frozen=True)
class Edit:
    """The replacement of a part of a file by a text."""

    place: Place
    text: str


@dataclass(frozen=True)
class Fix:
    """A change that may solve a problem. ``applicability`` is ``safe`` or ``needs-review``."""

    message: str
    applicability: str
    edits: Tuple[Edit, ...]

    def apply(self, text: str) -> str:
        """Returns a text with the change made.

        >>> from hcl_lr import check
        >>> text = "a = 1\\nb = “x”\\n"
        >>> [fix.apply(text) for one in check(text) for fix in one.fixes]
        ['a = 1\\nb = "x"\\n']
        """
        data = text.encode()
        for edit in sorted(self.edits, key=lambda edit: edit.place.start, reverse=True):
            data = data[: edit.place.start] + edit.text.encode() + data[edit.place.end :]
        return data.decode()


@dataclass(frozen=True)
class Diagnostic:
    """A problem in a file: an error, a warning or a note."""

    severity: str
    code: str
    summary: str
    detail: str
    help: Optional[str]
    place: Place
    labels: Tuple[Tuple[Place, str], ...]
    fixes: Tuple[Fix, ...]
    _rendered: Tuple[str, str] = field(repr=False, compare=False)

    @property
    def is_error(self) -> bool:
        """True for errors."""
        return self.severity == "error"

    def render(self, *, color: bool = False) -> str:
        """Returns a report with the lines of the file, as the program ``hcl check`` prints it."""
        return self._rendered[1 if color else 0]

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.summary}: {self.detail}"


@dataclass(frozen=True)
class Definition:
    """A name that the files of a project define, such as ``var.region``."""

    address: str
    name: str
    block_type: Optional[str]
    place: Place
    is_input: bool


@dataclass(frozen=True)
class ImportedSchema:
    """A schema file from a JSON Schema, and the places in the JSON Schema of what has no counterpart."""

    text: str
    lost: Tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """A result of a query.

    ``status`` is ``match``; ``undecided`` if the condition depends on values that are not constant; or ``error``, with
    the message in ``error``.
    """

    file: str
    status: str
    line: int
    column: int
    end_line: int
    address: str
    kind: str
    _names: Tuple[str, str, List[str]] = field(repr=False)
    value: Any
    text: str
    error: Optional[str]

    @property
    def type(self) -> str:
        """The type of a block."""
        return self._names[0]

    @property
    def name(self) -> str:
        """The name of an attribute, or the last label of a block."""
        return self._names[1]

    @property
    def labels(self) -> List[str]:
        """The labels of a block."""
        return self._names[2]


class HclError(ValueError):
    """The base of all exceptions of this package, with the diagnostics that say why.

    >>> from hcl_lr import loads
    >>> try:
    ...     loads("a = ")
    ... except HclError as error:
    ...     print(error.diagnostics[0].place)
    <string>:1:5
    """

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message, list(diagnostics))
        self.diagnostics: List[Diagnostic] = list(diagnostics)

    def __str__(self) -> str:
        return str(self.args[0])

    def render(self, *, color: bool = False) -> str:
        """Returns reports with the lines of the file, as the program ``hcl check`` prints them."""
        reports = [diagnostic.render(color=color) for diagnostic in self.diagnostics]
        return "\n".join(reports) if reports else str(self)


class ParseError(HclError):
    """A text has syntax errors."""


class EvaluationError(HclError):
    """An expression has no value, or evaluating it takes more than a limit allows."""


class EditError(HclError):
    """An edit cannot be made, or would change something else."""


class NotFoundError(HclError, LookupError):
    """There is nothing at an address."""


class AddressError(HclError):
    """A text is no address."""


class SchemaError(HclError):
    """There is no such schema, or it has errors."""


class InternalError(RuntimeError):
    """An error in this package. Please report it."""
