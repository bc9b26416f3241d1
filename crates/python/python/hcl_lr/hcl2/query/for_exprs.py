"""Views, where python-hcl2 has them."""

from .views import ForObjectView, ForTupleView

__all__ = ["ForObjectView", "ForTupleView"]
