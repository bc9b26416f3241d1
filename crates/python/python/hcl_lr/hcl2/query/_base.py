"""Views, where python-hcl2 has them."""

from .views import NodeView, view_for

__all__ = ["NodeView", "view_for"]
