"""Views, where python-hcl2 has them."""

from .views import ConditionalView

__all__ = ["ConditionalView"]
