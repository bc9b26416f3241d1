"""Options and texts, where python-hcl2 has them."""

from __future__ import annotations

from typing import Any

from .options import SerializationOptions

__all__ = [
    "SerializationOptions",
    "is_dollar_string",
    "to_dollar_string",
    "unwrap_dollar_string",
    "wrap_into_parentheses",
]


def is_dollar_string(value: Any) -> bool:
    """True for the string of an expression: ``${…}``."""
    return isinstance(value, str) and value[:2] == "${" and value[-1:] == "}"


def to_dollar_string(value: str) -> str:
    """Returns the string of an expression.

    >>> to_dollar_string("a + 1")
    '${a + 1}'
    """
    return value if is_dollar_string(value) else "${" + str(value) + "}"


def unwrap_dollar_string(value: str) -> str:
    """Returns the expression of such a string.

    >>> unwrap_dollar_string("${a + 1}")
    'a + 1'
    """
    return value[2:-1] if is_dollar_string(value) else value


def wrap_into_parentheses(value: str) -> str:
    """Returns the expression in parentheses.

    >>> wrap_into_parentheses("${a + 1}")
    '${(a + 1)}'
    """
    inside = f"({unwrap_dollar_string(value)})"
    return to_dollar_string(inside) if is_dollar_string(value) else inside
