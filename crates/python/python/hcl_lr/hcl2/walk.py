"""Searches below a node."""

from __future__ import annotations

from typing import Callable, Iterator, Optional

from .query.views import Node, NodeView, view_for

__all__ = ["find_all", "find_by_predicate", "find_first", "walk", "walk_rules", "walk_semantic"]


def walk(node: Node) -> Iterator[Node]:
    """Returns a node and all nodes below it, from the outermost."""
    return (view.raw for view in view_for(node).walk_semantic())


walk_rules = walk
walk_semantic = walk


def find_all(node: Node, kind: type) -> Iterator[Node]:
    """Returns the nodes whose view is of a class.

    >>> from hcl_lr.hcl2 import parses
    >>> from hcl_lr.hcl2.rules.functions import FunctionCallRule
    >>> [call.text for call in find_all(parses("a = f(g(1))"), FunctionCallRule)]
    ['f(g(1))', 'g(1)']
    """
    return (view.raw for view in view_for(node).find_all(kind))


def find_first(node: Node, kind: type) -> Optional[Node]:
    """Returns the first node whose view is of a class, or None."""
    return next(find_all(node, kind), None)


def find_by_predicate(node: Node, predicate: Callable[[Node], bool]) -> Iterator[Node]:
    """Returns the nodes for which a function is true."""
    return (one for one in walk(node) if predicate(one))


def ancestors(view: NodeView) -> Iterator[NodeView]:
    """Returns the views that a view comes from, from the innermost."""
    above = view.parent_view
    while above is not None:
        yield above
        above = above.parent_view
