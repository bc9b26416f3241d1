"""Names for searches, where python-hcl2 has them."""

from ..query.views import ConditionalView as ConditionalRule

__all__ = ["ConditionalRule"]
