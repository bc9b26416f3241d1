"""Options, where python-hcl2 has them."""

from .options import DeserializerOptions

__all__ = ["DeserializerOptions"]
