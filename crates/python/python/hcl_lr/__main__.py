"""``python -m hcl_lr`` is the program ``hcl``."""

from ._programs import hcl

hcl()
