"""The functions of python-hcl2."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, NoReturn, Optional, TextIO, Union

from .. import _native
from .document import StartRule
from .options import DeserializerOptions, FormatterOptions, SerializationOptions

if TYPE_CHECKING:
    from .query import DocumentView


_LOADING, _WRITING, _LAYOUT = SerializationOptions(), DeserializerOptions(), FormatterOptions()


def load(file: TextIO, *, serialization_options: Optional[SerializationOptions] = None) -> Dict[str, Any]:
    """Returns the objects of an open file."""
    return loads(file.read(), serialization_options=serialization_options)


def loads(text: str, *, serialization_options: Optional[SerializationOptions] = None) -> Dict[str, Any]:
    """Returns the objects of a text.

    >>> loads('name = "x"\\nsize = 1.5\\n')
    {'name': '"x"', 'size': 1.5}
    >>> loads('name = "x"\\n', serialization_options=SerializationOptions(strip_string_quotes=True))
    {'name': 'x'}
    """
    objects: Dict[str, Any] = _native.hcl2_loads(text, serialization_options or _LOADING)
    return objects


def dump(
    data: Dict[str, Any],
    file: TextIO,
    *,
    deserializer_options: Optional[DeserializerOptions] = None,
    formatter_options: Optional[FormatterOptions] = None,
) -> None:
    """Writes objects to an open file."""
    file.write(dumps(data, deserializer_options=deserializer_options, formatter_options=formatter_options))


def dumps(
    data: Dict[str, Any],
    *,
    deserializer_options: Optional[DeserializerOptions] = None,
    formatter_options: Optional[FormatterOptions] = None,
) -> str:
    """Returns the text of objects.

    >>> print(dumps({"a": "${x+1}", "b": ['"c"']}), end="")
    a = x + 1
    b = [
      "c",
    ]
    """
    if not isinstance(data, dict):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"a document is a dict, not {type(data).__name__}")
    return _native.hcl2_dumps(data, deserializer_options or _WRITING, formatter_options or _LAYOUT)


def parse(file: TextIO, *, discard_comments: bool = False) -> StartRule:
    """Returns an open file as a document."""
    return parses(file.read(), discard_comments=discard_comments)


def parses(text: str, *, discard_comments: bool = False) -> StartRule:
    """Returns a text as a document. With `discard_comments`, without its comments."""
    return _Uncommented(text) if discard_comments else StartRule(text)


class _Uncommented(StartRule):
    """A document whose comments do not count."""

    def serialize(self, options: Optional[SerializationOptions] = None) -> Dict[str, Any]:
        options = SerializationOptions(**vars(options or SerializationOptions()))
        options.with_comments = False
        return super().serialize(options)


def serialize(
    tree: StartRule, *, serialization_options: Optional[SerializationOptions] = None
) -> Dict[str, Any]:
    """Returns the objects of a document."""
    return tree.serialize(serialization_options)


def from_dict(
    data: Dict[str, Any],
    *,
    deserializer_options: Optional[DeserializerOptions] = None,
    formatter_options: Optional[FormatterOptions] = None,
    apply_format: bool = True,
) -> StartRule:
    """Returns the document that objects stand for. It is always formatted."""
    text = dumps(data, deserializer_options=deserializer_options, formatter_options=formatter_options)
    return StartRule(text)


def from_json(
    text: str,
    *,
    deserializer_options: Optional[DeserializerOptions] = None,
    formatter_options: Optional[FormatterOptions] = None,
    apply_format: bool = True,
) -> StartRule:
    """Returns the document that objects in JSON stand for. It is always formatted."""
    return from_dict(
        json.loads(text), deserializer_options=deserializer_options, formatter_options=formatter_options
    )


def reconstruct(tree: StartRule) -> str:
    """Returns the text of a document. A document that was parsed keeps its text."""
    if not isinstance(tree, StartRule):  # pyright: ignore[reportUnnecessaryIsInstance]
        _no_trees()
    text = tree.text
    return text if not text or text.endswith("\n") else text + "\n"


def query(source: Union[str, TextIO]) -> "DocumentView":
    """Returns a view of a text or an open file, whose parts can be searched."""
    from .query import DocumentView

    return DocumentView(parses(source if isinstance(source, str) else source.read()))


def parse_to_tree(file: TextIO) -> NoReturn:
    """Raises `NotImplementedError`: there are no trees of Lark."""
    _no_trees()


def parses_to_tree(text: str) -> NoReturn:
    """Raises `NotImplementedError`: there are no trees of Lark."""
    _no_trees()


def transform(lark_tree: object, *, discard_comments: bool = False) -> NoReturn:
    """Raises `NotImplementedError`: there are no trees of Lark."""
    _no_trees()


def _no_trees() -> NoReturn:
    raise NotImplementedError(
        "there are no trees of Lark here; `hcl_lr.parse` returns a document whose parts can be read and changed, and "
        "`hcl_lr.hcl2.query` the views of python-hcl2"
    )
