"""Options, where python-hcl2 has them."""

from .options import FormatterOptions

__all__ = ["FormatterOptions"]
