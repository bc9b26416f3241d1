"""Views, where python-hcl2 has them."""

from .views import ObjectView, TupleView

__all__ = ["ObjectView", "TupleView"]
