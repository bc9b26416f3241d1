"""The options of python-hcl2, with its names and defaults."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SerializationOptions:
    """What `loads` returns. `with_meta` has no effect, as in python-hcl2 8.1."""

    with_comments: bool = True
    with_meta: bool = False
    wrap_objects: bool = False
    wrap_tuples: bool = False
    explicit_blocks: bool = True
    preserve_heredocs: bool = True
    force_operation_parentheses: bool = False
    preserve_scientific_notation: bool = True
    strip_string_quotes: bool = False


@dataclass
class DeserializerOptions:
    """What `dumps` makes of the objects."""

    heredocs_to_strings: bool = False
    strings_to_heredocs: bool = False
    object_elements_colon: bool = False
    object_elements_trailing_comma: bool = True


@dataclass
class FormatterOptions:
    """The layout of what `dumps` writes."""

    indent_length: int = 2
    open_empty_blocks: bool = True
    open_empty_objects: bool = False
    open_empty_tuples: bool = False
    vertically_align_attributes: bool = True
    vertically_align_object_elements: bool = True
