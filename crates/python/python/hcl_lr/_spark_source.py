"""The data source ``hcl`` of Spark 4."""

# pyright: basic

from __future__ import annotations

import importlib
import os
from typing import Any, Dict, Iterator, List, Sequence

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from . import query_table
from .spark import SCHEMA

# Files of a task, unless an option says how many tasks there are.
_FILES = 2_000


class _Files(InputPartition):
    def __init__(self, paths: List[str]) -> None:
        super().__init__(None)
        self.paths = paths


class HclDataSource(DataSource):
    """Rows of a query over the files of a folder."""

    @classmethod
    def name(cls) -> str:
        return "hcl"

    def schema(self) -> str:
        return SCHEMA

    def reader(self, schema: Any) -> "HclReader":
        return HclReader({name.lower(): value for name, value in self.options.items()})


class HclReader(DataSourceReader):
    """Lists the files, and searches those of a task."""

    def __init__(self, options: Dict[str, str]) -> None:
        if "address" not in options or "path" not in options:
            raise ValueError('the data source `hcl` needs `.option("address", ADDRESS)` and `.load(PATH)`')
        self.options = options

    def partitions(self) -> Sequence[InputPartition]:
        paths = _files(self.options["path"])
        wanted = int(self.options.get("partitions", 0)) or -(-len(paths) // _FILES)
        size = max(1, -(-len(paths) // max(1, wanted)))
        return [_Files(paths[start : start + size]) for start in range(0, len(paths), size)] or [_Files([])]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        assert isinstance(partition, _Files)
        pa: Any = importlib.import_module("pyarrow")
        options: Dict[str, Any] = {
            "where": self.options.get("where"),
            "select": self.options.get("select"),
            "schema": self.options.get("language"),
        }
        table = pa.table(query_table(partition.paths, self.options["address"], threads=1, **options))
        # Spark wants its own schema to the letter: fields that may be null, and its name for elements of lists.
        fields = [
            pa.field(field.name, pa.list_(pa.string()) if field.name == "labels" else field.type)
            for field in table.schema
        ]
        yield from table.cast(pa.schema(fields)).to_batches()


def _files(path: str) -> List[str]:
    """Returns the files of HCL in a folder and below, or the file itself."""
    from . import _native

    found: List[str] = _native.files([os.path.abspath(path)])
    return found
