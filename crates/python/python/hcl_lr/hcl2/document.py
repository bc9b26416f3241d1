"""A parsed document in place of the tree of rules that python-hcl2 has."""

from __future__ import annotations

from typing import Any, Dict, Optional

from .. import _native
from .._native import Document
from .options import SerializationOptions

__all__ = ["StartRule"]


class StartRule:
    """A parsed document. It can be serialized and written; to read and change its parts, use `document`."""

    def __init__(self, text: str) -> None:
        self._document: Optional[Document] = None
        self._text = text
        # Errors are reported when a text is parsed.
        _ = self.document

    @property
    def document(self) -> Document:
        """The document: blocks, attributes, comments, places, and edits without loss."""
        if self._document is None:
            self._document = Document(self._text)
        return self._document

    @property
    def text(self) -> str:
        """The text of the document."""
        return str(self.document)

    def serialize(self, options: Optional[SerializationOptions] = None) -> Dict[str, Any]:
        """Returns the objects of the document."""
        objects: Dict[str, Any] = _native.hcl2_loads(self.text, options or SerializationOptions())
        return objects

    def __repr__(self) -> str:
        return "<StartRule>"
