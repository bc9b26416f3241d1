"""Names for searches, where python-hcl2 has them."""

from ..query.views import ObjectView as ObjectRule, TupleView as TupleRule

__all__ = ["ObjectRule", "TupleRule"]
