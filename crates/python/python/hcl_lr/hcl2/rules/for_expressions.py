"""Names for searches, where python-hcl2 has them."""

from ..query.views import ForObjectView as ForObjectExprRule, ForTupleView as ForTupleExprRule

__all__ = ["ForObjectExprRule", "ForTupleExprRule"]
