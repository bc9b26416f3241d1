"""Documents from code."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

__all__ = ["Builder"]


class Builder:
    """Makes the objects of a document, with the marks that tell blocks from objects.

    >>> from hcl_lr import hcl2
    >>> doc = hcl2.Builder()
    >>> _ = doc.block("service", ["web"], port=80)
    >>> print(hcl2.dumps(doc.build()), end="")
    service web {
      port = 80
    }
    """

    def __init__(self, attributes: Optional[Dict[str, Any]] = None) -> None:
        self.attributes: Dict[str, Any] = attributes or {}
        self.blocks: Dict[str, List[Tuple[List[str], Builder, Optional[Builder]]]] = {}

    def block(
        self,
        block_type: str,
        labels: Optional[List[str]] = None,
        __nested_builder__: Optional["Builder"] = None,
        **attributes: Any,
    ) -> "Builder":
        """Adds a block, and returns the builder of its contents. Blocks of the other builder become its blocks."""
        if __nested_builder__ is self:
            raise ValueError("a builder cannot be inside itself")
        inner = Builder(attributes)
        self.blocks.setdefault(block_type, []).append((list(labels or ()), inner, __nested_builder__))
        return inner

    def build(self) -> Dict[str, Any]:
        """Returns the objects, as `loads` would."""
        built: Dict[str, Any] = {"__is_block__": True, **self.attributes}
        for block_type, blocks in self.blocks.items():
            for labels, inner, nested in blocks:
                body = inner.build()
                for name, more in (nested.build() if nested else {}).items():
                    if name != "__is_block__":
                        body.setdefault(name, []).extend(more)
                for label in reversed(labels):
                    body = {label: body}
                built.setdefault(block_type, []).append(body)
        return built
