"""Views, where python-hcl2 has them."""

from .views import BlockView

__all__ = ["BlockView"]
