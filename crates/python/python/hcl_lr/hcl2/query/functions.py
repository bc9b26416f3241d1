"""Views, where python-hcl2 has them."""

from .views import FunctionCallView

__all__ = ["FunctionCallView"]
