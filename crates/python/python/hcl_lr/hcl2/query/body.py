"""Views, where python-hcl2 has them."""

from .views import BodyView, DocumentView

__all__ = ["BodyView", "DocumentView"]
