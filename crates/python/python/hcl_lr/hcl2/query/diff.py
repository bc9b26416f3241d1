"""Differences between objects."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple, cast

__all__ = ["DiffEntry", "diff_dicts", "format_diff_json", "format_diff_text"]

_ABSENT = object()


@dataclass
class DiffEntry:
    """A difference. `kind` is ``added``, ``removed`` or ``changed``."""

    path: str
    kind: str
    left: Any = None
    right: Any = None


def diff_dicts(left: Any, right: Any, path: str = "") -> List[DiffEntry]:
    """Returns the differences between objects, with the path of each.

    >>> diff_dicts({"a": [1]}, {"a": [1, 2]})
    [DiffEntry(path='a[1]', kind='added', left=None, right=2)]
    """
    if isinstance(left, dict) and isinstance(right, dict):
        return _of_dicts(cast("Dict[str, Any]", left), cast("Dict[str, Any]", right), path)
    if isinstance(left, list) and isinstance(right, list):
        return _of_lists(left, right, path)  # pyright: ignore[reportUnknownArgumentType]
    return [] if left == right else [DiffEntry(path or "(root)", "changed", left, right)]


def _of_dicts(left: Dict[str, Any], right: Dict[str, Any], path: str) -> List[DiffEntry]:
    prefix = f"{path}." if path else ""
    names = sorted({*left, *right})
    return _of_pairs([(f"{prefix}{name}", left.get(name, _ABSENT), right.get(name, _ABSENT)) for name in names])


def _of_lists(left: List[Any], right: List[Any], path: str) -> List[DiffEntry]:
    longest = max(len(left), len(right))
    return _of_pairs([(f"{path}[{at}]", _at(left, at), _at(right, at)) for at in range(longest)])


def _at(elements: List[Any], at: int) -> Any:
    return elements[at] if at < len(elements) else _ABSENT


def _of_pairs(pairs: List[Tuple[str, Any, Any]]) -> List[DiffEntry]:
    found: List[DiffEntry] = []
    for path, left, right in pairs:
        if left is _ABSENT:
            found.append(DiffEntry(path, "added", right=right))
        elif right is _ABSENT:
            found.append(DiffEntry(path, "removed", left=left))
        else:
            found.extend(diff_dicts(left, right, path))
    return found


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)


def format_diff_text(entries: List[DiffEntry]) -> str:
    """Returns a line for each difference."""
    lines: List[str] = []
    for entry in entries:
        if entry.kind == "added":
            lines.append(f"+ {entry.path}: {_shown(entry.right)}")
        elif entry.kind == "removed":
            lines.append(f"- {entry.path}: {_shown(entry.left)}")
        else:
            lines.append(f"~ {entry.path}: {_shown(entry.left)} -> {_shown(entry.right)}")
    return "\n".join(lines)


def format_diff_json(entries: List[DiffEntry]) -> str:
    """Returns differences as JSON."""
    data: List[Dict[str, Any]] = []
    for entry in entries:
        item: Dict[str, Any] = {"path": entry.path, "kind": entry.kind}
        item.update({name: value for name, value in (("left", entry.left), ("right", entry.right)) if value is not None})
        data.append(item)
    return json.dumps(data, indent=2, default=str)
