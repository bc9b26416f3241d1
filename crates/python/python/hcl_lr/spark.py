"""Queries over more files than one machine reads: functions for Apache Spark, Ray and Dask.

Nothing here is needed to import `hcl_lr`; it needs pyspark and pyarrow. The workers need the wheel of this package and
nothing else.

Over files that Spark reads::

    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load("s3://repos/")
    rows = files.select("path", "content").mapInArrow(search("module[*]", select="self.source"), SCHEMA)

Over a table of texts, with columns of it kept::

    rows = texts.mapInArrow(
        search("module[*]", name="path", text="text", keep=["repository"]), schema("repository string")
    )

As a data source of Spark 4, over a file system that all workers see::

    register(spark)
    rows = spark.read.format("hcl").option("address", "module[*]").load("/repos")
"""

from __future__ import annotations

import importlib
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

from . import query_table

__all__ = ["SCHEMA", "map_batch", "register", "schema", "search"]

SCHEMA = (
    "file string, status string, line int, `column` int, end_line int, address string, kind string, type string, "
    "name string, labels array<string>, value string, text string, error string"
)


def schema(kept: str = "") -> str:
    """Returns the schema of the rows, after that of the columns that are kept."""
    return f"{kept}, {SCHEMA}" if kept else SCHEMA


def map_batch(
    batch: Any,
    address: str,
    *,
    where: Optional[str] = None,
    select: Optional[str] = None,
    language: Optional[str] = None,
    name: str = "path",
    text: str = "content",
    keep: Sequence[str] = (),
) -> Any:
    """Returns the rows of the files in a batch, which has a column of names and one of texts or bytes.

    For Ray: ``files.map_batches(map_batch, batch_format="pyarrow", fn_kwargs={"address": "module[*]"})``.

    >>> import pyarrow
    >>> batch = pyarrow.RecordBatch.from_pydict({"path": ["a.tf"], "content": ["x = 1\\n"]})
    >>> map_batch(batch, "[*]").select(["file", "address", "value"]).to_pylist()
    [{'file': 'a.tf', 'address': 'x', 'value': '1'}]
    """
    # Without types, and not needed by those who do not use Arrow.
    pa: Any = importlib.import_module("pyarrow")

    names: List[str] = batch.column(batch.schema.get_field_index(name)).to_pylist()
    texts: List[Any] = batch.column(batch.schema.get_field_index(text)).to_pylist()
    options: Dict[str, Any] = {"where": where, "select": select, "schema": language, "threads": 1}
    if not keep:
        pairs = [(path, content) for path, content in zip(names, texts) if content is not None]
        return pa.table(query_table(pairs, address, **options))
    # The row of the batch comes back in the name.
    pairs = [(f"{row}/{path}", content) for row, (path, content) in enumerate(zip(names, texts)) if content is not None]
    found = pa.table(query_table(pairs, address, **options))
    files: List[str] = found.column("file").to_pylist()
    rows = pa.array([int(file.split("/", 1)[0]) for file in files], pa.int64())
    found = found.set_column(0, "file", pa.array([file.split("/", 1)[1] for file in files], pa.string()))
    for at, column in enumerate(keep):
        kept = batch.column(batch.schema.get_field_index(column)).take(rows)
        found = found.add_column(at, column, kept)
    return found


def search(
    address: str,
    *,
    where: Optional[str] = None,
    select: Optional[str] = None,
    language: Optional[str] = None,
    name: str = "path",
    text: str = "content",
    keep: Sequence[str] = (),
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Returns a function for ``DataFrame.mapInArrow``.

    `name` and `text` are the columns with the names of files and with their contents, as texts or bytes; `keep` lists
    columns that come first in the rows. An error in a file is a row, and ends nothing.
    """

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            table = map_batch(
                batch, address, where=where, select=select, language=language, name=name, text=text, keep=keep
            )
            yield from table.to_batches()

    return rows


def register(spark: Any) -> None:
    """Makes ``spark.read.format("hcl")`` known to a session of Spark 4.

    Its options are ``address``, ``where``, ``select``, ``language``, and ``partitions``, the number of tasks; the path is
    that of a folder or a file.
    """
    source: Any = importlib.import_module("hcl_lr._spark_source")
    spark.dataSource.register(source.HclDataSource)
