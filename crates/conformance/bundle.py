#!/usr/bin/env python3
"""Makes the release artifact of the conformance suite: `python3 crates/conformance/bundle.py [FOLDER]`.

Writes `hcl-conformance-VERSION.tar.gz` and its SHA-256 hash into the folder, by default `target`. The same files give the
same bytes.
"""

import gzip
import hashlib
import io
import json
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = ["suite.jsonl", "PROTOCOL.md", "schema.json", "run.py", "CHANGELOG.md", "ids.txt", "versions.txt", "action.yml",
         "Dockerfile", "LICENSE-APACHE", "LICENSE-MIT", "drivers/example.py", "texts/decode-spec.md",
         "texts/information-model.md", "texts/rulings.md"]


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "target"
    with open(HERE / "suite.jsonl", encoding="utf-8") as suite:
        version = json.loads(suite.readline())["version"]
    name = f"hcl-conformance-{version}"
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=0) as out, tarfile.open(fileobj=out, mode="w") as tar:
        for path in FILES:
            content = (HERE / path).read_bytes()
            info = tarfile.TarInfo(f"{name}/{path}")
            info.size, info.mode = len(content), 0o755 if path.endswith(".py") else 0o644
            tar.addfile(info, io.BytesIO(content))
    folder.mkdir(parents=True, exist_ok=True)
    artifact = folder / f"{name}.tar.gz"
    artifact.write_bytes(packed.getvalue())
    digest = hashlib.sha256(packed.getvalue()).hexdigest()
    (folder / f"{name}.tar.gz.sha256").write_text(f"{digest}  {artifact.name}\n", encoding="utf-8")
    print(artifact)


main()
