"""Tables, in pyarrow, polars and Spark."""

import json
import os
import sys

import hcl_lr
import pytest

FILES = [("a.tf", 'module "x" {\n  source = "s"\n  tags = {a = [1, var.b]}\n}\n'), ("b.tf", "= 1\n")]
COLUMNS = "file status line column end_line address kind type name labels value text error".split()


def test_columns_are_always_the_same():
    table = hcl_lr.query_table([], "x")
    assert table.column_names == COLUMNS and len(table) == 0


def test_pyarrow_takes_a_table():
    pa = pytest.importorskip("pyarrow")
    table = pa.table(hcl_lr.query_table(FILES, "module[*]"))
    assert table.column_names == COLUMNS
    rows = table.to_pylist()
    assert [row["status"] for row in rows] == ["match", "error"]
    assert json.loads(rows[0]["value"])["source"] == "s" and rows[0]["labels"] == ["x"]
    assert rows[1]["file"] == "b.tf" and rows[1]["line"] == 1 and rows[1]["value"] is None
    assert pa.table(hcl_lr.query_table([], "x")).num_rows == 0


def test_a_table_outlives_what_it_came_from():
    pa = pytest.importorskip("pyarrow")
    tables = [pa.table(hcl_lr.query_table([("a.tf", f"a = {n}\n")], "a")) for n in range(200)]
    assert [table.column("value").to_pylist() for table in tables] == [[str(n)] for n in range(200)]


def test_polars_takes_a_table():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(hcl_lr.query_table(FILES, "module[*]", select="self.source"))
    assert frame["value"].to_list() == ['"s"', None]


def test_kept_columns():
    pa = pytest.importorskip("pyarrow")
    from hcl_lr import spark

    batch = pa.RecordBatch.from_pydict(
        {"repository": ["r1", "r2"], "path": ["a/a.tf", "a/a.tf"], "text": ["x = 1\n", "x = 2\ny = 3\n"]}
    )
    (one, *_) = [pa.Table.from_batches(spark.search("[*]", text="text", keep=["repository"])([batch]))]
    assert one.select(["repository", "file", "value"]).to_pylist() == [
        {"repository": "r1", "file": "a/a.tf", "value": "1"},
        {"repository": "r2", "file": "a/a.tf", "value": "2"},
        {"repository": "r2", "file": "a/a.tf", "value": "3"},
    ]


@pytest.fixture(scope="module")
def session():
    sql = pytest.importorskip("pyspark.sql")
    # Spark needs it for `mapInArrow`.
    pytest.importorskip("pandas")
    # The workers need what these tests have.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


def test_spark(session, tmp_path):
    from hcl_lr import spark

    for number in range(20):
        (tmp_path / f"{number}.tf").write_text(f'module "m{number}" {{\n  source = "s{number % 3}"\n}}\n')
    (tmp_path / "wrong.tf").write_text("= 1\n")
    files = session.read.format("binaryFile").load(str(tmp_path)).select("path", "content")
    rows = files.mapInArrow(spark.search("module[*]", select="self.source"), spark.SCHEMA)
    counts = {row["value"]: row["count"] for row in rows.groupBy("value").count().collect()}
    assert counts == {'"s0"': 7, '"s1"': 7, '"s2"': 6, None: 1}
    texts = session.createDataFrame([("r", "a.tf", "x = 1\n")], "repository string, path string, text string")
    kept = texts.mapInArrow(spark.search("x", text="text", keep=["repository"]), spark.schema("repository string"))
    assert [(row.repository, row.value) for row in kept.collect()] == [("r", "1")]


def test_the_data_source(session, tmp_path):
    if not hasattr(session, "dataSource"):
        pytest.skip("this is not Spark 4")
    from hcl_lr import spark

    (tmp_path / "a.tf").write_text('module "m" {\n  source = "s"\n}\n')
    (tmp_path / "b.tf").write_text('module "n" {\n  source = "t"\n}\n')
    spark.register(session)
    reader = session.read.format("hcl").option("address", "module[*]").option("select", "self.source")
    rows = reader.option("partitions", 2).load(str(tmp_path))
    assert sorted(row["value"] for row in rows.collect()) == ['"s"', '"t"']
