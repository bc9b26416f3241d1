"""Views of documents, as python-hcl2 has them."""

from .diff import DiffEntry, diff_dicts, format_diff_json, format_diff_text
from .views import (
    AttributeView,
    BlockView,
    BodyView,
    ConditionalView,
    DocumentView,
    ForObjectView,
    ForTupleView,
    FunctionCallView,
    NodeView,
    ObjectView,
    TupleView,
    view_for,
)

__all__ = [
    "AttributeView",
    "BlockView",
    "BodyView",
    "ConditionalView",
    "DiffEntry",
    "DocumentView",
    "ForObjectView",
    "ForTupleView",
    "FunctionCallView",
    "NodeView",
    "ObjectView",
    "TupleView",
    "diff_dicts",
    "format_diff_json",
    "format_diff_text",
    "view_for",
]
