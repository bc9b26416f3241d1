"""Views, where python-hcl2 has them."""

from .views import AttributeView

__all__ = ["AttributeView"]
