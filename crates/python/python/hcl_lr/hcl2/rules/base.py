"""Names for searches, where python-hcl2 has them."""

from ..document import StartRule
from ..query.views import AttributeView as AttributeRule
from ..query.views import BlockView as BlockRule
from ..query.views import BodyView as BodyRule

__all__ = ["AttributeRule", "BlockRule", "BodyRule", "StartRule"]
