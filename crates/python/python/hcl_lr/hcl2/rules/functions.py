"""Names for searches, where python-hcl2 has them."""

from ..query.views import FunctionCallView as FunctionCallRule

__all__ = ["FunctionCallRule"]
