"""The views of python-hcl2, over the nodes of a document."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple, Union, cast

from ... import _native
from ..._native import Attribute, Block, ExpressionNode
from ..._native import BodyNode as Body
from ..document import StartRule
from ..options import SerializationOptions

Node = Union[StartRule, Body, Block, Attribute, ExpressionNode]


def view_for(node: Node) -> "NodeView":
    """Returns the view of a node."""
    if isinstance(node, StartRule):
        return DocumentView(node)
    if isinstance(node, Body):
        return BodyView(node)
    if isinstance(node, Block):
        return BlockView(node)
    if isinstance(node, Attribute):
        return AttributeView(node)
    parts = node.parts()
    if node.kind == "for":
        return ForObjectView(node) if parts["is_object"] else ForTupleView(node)
    return _BY_KIND.get(node.kind, NodeView)(node)


def _elements(part: Any) -> List[Any]:
    elements: Any = part
    return elements if type(part) is list else [part]


def _objects(node: Node, options: Optional[SerializationOptions]) -> Any:
    if isinstance(node, StartRule):
        return node.serialize(options)
    return _native.hcl2_node(node, options or SerializationOptions())


class NodeView:
    """A view of a part of a document."""

    def __init__(self, node: Node, parent: Optional["NodeView"] = None) -> None:
        self._node = node
        self._parent = parent

    @property
    def raw(self) -> Node:
        """The node: of `hcl_lr`, with its place and its text."""
        return self._node

    @property
    def parent_view(self) -> Optional["NodeView"]:
        """The view that this one comes from."""
        return self._parent

    def _child(self, node: Node) -> "NodeView":
        view = view_for(node)
        view._parent = self
        return view

    def _children(self) -> List["NodeView"]:
        if not isinstance(self._node, ExpressionNode):
            return []
        found: List[NodeView] = []
        for part in self._node.parts().values():
            for one in _elements(part):
                if isinstance(one, (ExpressionNode, Attribute)):
                    found.append(self._child(one))
        return found

    def walk_semantic(self) -> List["NodeView"]:
        """Returns this view and all below it, from the outermost."""
        found: List[NodeView] = []
        waiting: List[NodeView] = [self]
        while waiting:
            view = waiting.pop()
            found.append(view)
            waiting.extend(reversed(view._children()))
        return found

    walk_rules = walk_semantic

    def find_all(self, kind: type) -> List["NodeView"]:
        """Returns all views below this one whose node, or which, is of a class."""
        return [view for view in self.walk_semantic() if isinstance(view.raw, kind) or isinstance(view, kind)]

    def find_by_predicate(self, predicate: Callable[[Any], bool]) -> List["NodeView"]:
        """Returns all views below this one for which a function is true."""
        return [view for view in self.walk_semantic() if predicate(view)]

    def to_hcl(self) -> str:
        """Returns the text as it is written."""
        return self._node.text

    def to_dict(self, options: Optional[SerializationOptions] = None) -> Any:
        """Returns the objects."""
        return _objects(self._node, options)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._node!r}>"


class _WithBody(NodeView):
    def _items(self) -> List[Union[Attribute, Block]]:
        node = self._node.document.body if isinstance(self._node, StartRule) else self._node
        return cast(Body, node).items()

    def _children(self) -> List[NodeView]:
        return [self._child(item) for item in self._items()]

    def blocks(self, block_type: Optional[str] = None, *labels: str) -> List["BlockView"]:
        """Returns the blocks, all or those of a type whose labels begin with some."""
        found: List[BlockView] = []
        for item in self._items():
            if not isinstance(item, Block) or block_type not in (None, item.type):
                continue
            if list(labels) == item.labels[: len(labels)]:
                found.append(cast(BlockView, self._child(item)))
        return found

    def attributes(self, name: Optional[str] = None) -> List["AttributeView"]:
        """Returns the attributes, all or those with a name."""
        items = (item for item in self._items() if isinstance(item, Attribute) and name in (None, item.name))
        return [cast(AttributeView, self._child(item)) for item in items]

    def attribute(self, name: str) -> Optional["AttributeView"]:
        """Returns the attribute with a name, or None."""
        return next(iter(self.attributes(name)), None)


class DocumentView(_WithBody):
    """A view of a document.

    >>> doc = DocumentView.parse('service "web" {\\n  port = 80\\n}\\n')
    >>> doc.blocks("service", "web")[0].attribute("port").value
    80
    """

    @staticmethod
    def parse(text: str) -> "DocumentView":
        """Returns the view of a text."""
        return DocumentView(StartRule(text))

    @staticmethod
    def parse_file(path: str) -> "DocumentView":
        """Returns the view of a file."""
        with open(path, encoding="utf-8", newline="") as file:
            return DocumentView.parse(file.read())

    @property
    def body(self) -> "BodyView":
        """The body of the document."""
        return cast(BodyView, self._child(cast(StartRule, self._node).document.body))


class BodyView(_WithBody):
    """A view of a body."""


def _with_comment(objects: Any, comment: Optional[str], options: Optional[SerializationOptions]) -> Any:
    """Adds the comment above an item to its objects, if comments are asked for."""
    if comment and options is not None and options.with_comments and isinstance(objects, dict):
        known = cast(Dict[str, Any], objects)
        lines = [{"value": line} for line in comment.split("\n")]
        known["__comments__"] = lines + known.get("__comments__", [])
        return known
    return objects


class BlockView(_WithBody):
    """A view of a block."""

    @property
    def _block(self) -> Block:
        return cast(Block, self._node)

    @property
    def block_type(self) -> str:
        """The type of the block."""
        return self._block.type

    @property
    def labels(self) -> List[str]:
        """The type and the labels of the block."""
        return [self._block.type, *self._block.labels]

    @property
    def name_labels(self) -> List[str]:
        """The labels of the block."""
        return self._block.labels

    @property
    def body(self) -> BodyView:
        """The body of the block."""
        return cast(BodyView, self._child(self._block.body))

    def to_dict(self, options: Optional[SerializationOptions] = None) -> Any:
        return _with_comment(super().to_dict(options), self._block.comment, options)


class AttributeView(NodeView):
    """A view of an attribute."""

    @property
    def _attribute(self) -> Attribute:
        return cast(Attribute, self._node)

    @property
    def name(self) -> str:
        """The name."""
        return self._attribute.name

    @property
    def value(self) -> Any:
        """The objects of the value."""
        return _objects(self._attribute.expression, None)

    @property
    def value_node(self) -> NodeView:
        """The view of the expression."""
        return self._child(self._attribute.expression)

    def _children(self) -> List[NodeView]:
        return [self.value_node]

    def to_dict(self, options: Optional[SerializationOptions] = None) -> Any:
        return _with_comment(super().to_dict(options), self._attribute.comment, options)


class _OfExpression(NodeView):
    def _part(self, name: str) -> NodeView:
        return self._child(cast(ExpressionNode, self._node).parts()[name])

    def _optional(self, name: str) -> Optional[NodeView]:
        part = cast(ExpressionNode, self._node).parts().get(name)
        return None if part is None else self._child(part)

    def _plain(self, name: str) -> Any:
        return cast(ExpressionNode, self._node).parts()[name]


class TupleView(_OfExpression):
    """A view of a list."""

    @property
    def elements(self) -> List[NodeView]:
        """The views of the elements."""
        return [self._child(element) for element in self._plain("elements")]

    def __len__(self) -> int:
        return len(self._plain("elements"))

    def __getitem__(self, index: int) -> NodeView:
        return self._child(self._plain("elements")[index])


class ObjectView(_OfExpression):
    """A view of an object."""

    @property
    def entries(self) -> List[Tuple[str, NodeView]]:
        """The keys, as they are written, with the views of the values."""
        return [(self._key(entry), self._child(entry.expression)) for entry in self._plain("entries")]

    def _key(self, entry: Attribute) -> str:
        objects = cast(Dict[str, Any], _objects(entry, None))
        return next(iter(objects))

    def get(self, key: str) -> Optional[NodeView]:
        """Returns the view of the value with a key, or None."""
        return next((value for name, value in self.entries if name == key), None)

    @property
    def keys(self) -> List[str]:
        """The keys, as they are written."""
        return [name for name, _ in self.entries]


class ConditionalView(_OfExpression):
    """A view of a conditional."""

    @property
    def condition(self) -> NodeView:
        """The condition."""
        return self._part("condition")

    @property
    def true_val(self) -> NodeView:
        """The result if the condition is true."""
        return self._part("true")

    @property
    def false_val(self) -> NodeView:
        """The result if the condition is false."""
        return self._part("false")


class FunctionCallView(_OfExpression):
    """A view of a call of a function."""

    @property
    def name(self) -> str:
        """The name of the function."""
        return cast(str, self._plain("name"))

    @property
    def args(self) -> List[NodeView]:
        """The views of the arguments."""
        return [self._child(argument) for argument in self._plain("arguments")]

    @property
    def has_ellipsis(self) -> bool:
        """True if the last argument is expanded."""
        return cast(bool, self._plain("expands_last"))


class _ForView(_OfExpression):
    @property
    def iterator_name(self) -> str:
        """The first name."""
        return cast(str, self._plain("key_name") or self._plain("value_name"))

    @property
    def second_iterator_name(self) -> Optional[str]:
        """The second name, or None."""
        return cast(str, self._plain("value_name")) if self._plain("key_name") else None

    @property
    def iterable(self) -> NodeView:
        """The collection."""
        return self._part("collection")

    @property
    def value_expr(self) -> NodeView:
        """The result."""
        return self._part("value")

    @property
    def has_condition(self) -> bool:
        """True if there is a condition."""
        return "condition" in cast(ExpressionNode, self._node).parts()

    @property
    def condition(self) -> Optional[NodeView]:
        """The condition, or None."""
        return self._optional("condition")


class ForTupleView(_ForView):
    """A view of ``[for …]``."""


class ForObjectView(_ForView):
    """A view of ``{for …}``."""

    @property
    def key_expr(self) -> NodeView:
        """The key."""
        return self._part("key")

    @property
    def has_ellipsis(self) -> bool:
        """True if values with the same key are grouped."""
        return cast(bool, self._plain("groups"))


_BY_KIND: Dict[str, Callable[[Node], NodeView]] = {
    "list": TupleView,
    "object": ObjectView,
    "conditional": ConditionalView,
    "call": FunctionCallView,
}
