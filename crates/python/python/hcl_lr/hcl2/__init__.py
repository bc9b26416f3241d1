"""The interface of python-hcl2 8.1, for scripts that have it: ``from hcl_lr import hcl2``.

>>> from hcl_lr import hcl2
>>> hcl2.loads('a "b" {\\n  c = d + 1\\n}\\n')
{'a': [{'"b"': {'c': '${d + 1}', '__is_block__': True}}]}

New code does better with `hcl_lr` itself, whose values need no parsing of strings.
"""

# Importing the package of views sets the name `query`, so it comes before the function of that name.
from . import query as _views  # noqa: F401  # pyright: ignore[reportUnusedImport]
from .api import (
    dump,
    dumps,
    from_dict,
    from_json,
    load,
    loads,
    parse,
    parse_to_tree,
    parses,
    parses_to_tree,
    query,
    reconstruct,
    serialize,
    transform,
)
from .builder import Builder
from .document import StartRule
from .options import DeserializerOptions, FormatterOptions, SerializationOptions

__all__ = [
    "Builder",
    "DeserializerOptions",
    "FormatterOptions",
    "SerializationOptions",
    "StartRule",
    "dump",
    "dumps",
    "from_dict",
    "from_json",
    "load",
    "loads",
    "parse",
    "parse_to_tree",
    "parses",
    "parses_to_tree",
    "query",
    "reconstruct",
    "serialize",
    "transform",
]
