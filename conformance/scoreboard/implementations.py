"""Who is on the scoreboard: how each driver is built and run, and what reading a file means for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DRIVERS = ROOT / "conformance" / "drivers"
BUILT = ROOT / "target" / "drivers"
WINDOWS = os.name == "nt"


class CannotBuild(Exception):
    """Why a driver is not there."""


class Implementation:
    """One column. `build` gives the command that runs its driver."""

    def __init__(self, key, language, reads, build):
        self.key, self.language, self.reads, self.build = key, language, reads, build


def needs(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise CannotBuild(f"there is no {program}")


def done(command, **options):
    """Runs a command to its end; what it prints."""
    result = subprocess.run(
        [str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, **options
    )
    if result.returncode:
        lines = (result.stderr or result.stdout).strip().splitlines() or ["it says nothing"]
        raise CannotBuild(f"{Path(str(command[0])).name}: {lines[-1].strip()}")
    return result.stdout


def ours(hcl):
    return lambda: [str(hcl), "conformance"]


def with_go(which):
    def build():
        needs("bash", "go")
        return [done(["bash", DRIVERS / "go" / "build", which]).strip().splitlines()[-1]]

    return build


def with_cargo(name):
    def build():
        needs("cargo")
        target = BUILT / name
        manifest = DRIVERS / name / "Cargo.toml"
        environment = {**os.environ, "CARGO_TARGET_DIR": str(target)}
        done(["cargo", "build", "--release", "--quiet", "--manifest-path", manifest], env=environment)
        return [str(target / "release" / f"{name}-driver")]

    return build


def with_python(name):
    def build():
        place = BUILT / name
        python = place / ("Scripts/python.exe" if WINDOWS else "bin/python")
        if not python.exists():
            done([sys.executable, "-m", "venv", place])
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done([*pip, "--requirement", DRIVERS / name / "requirements.txt"])
        return [str(python), str(DRIVERS / name / "driver.py")]

    return build


def with_node(name):
    def build():
        needs("node", "npm")
        folder = DRIVERS / name
        if not (folder / "node_modules").is_dir():
            done([shutil.which("npm"), "install", "--no-audit", "--no-fund", "--silent"], cwd=folder)
        return ["node", str(folder / "driver.js")]

    return build


def all_of(hcl):
    return [
        Implementation("hcl-lr", "Rust", "a syntax tree over the text", ours(hcl)),
        Implementation("go-official", "Go", "the body of its parser", with_go("official")),
        Implementation("go-opentofu", "Go", "the body of its parser", with_go("opentofu")),
        Implementation("hcl-rs", "Rust", "its structures of a body, without places", with_cargo("hcl-rs")),
        Implementation("python-hcl2", "Python", "a dictionary", with_python("python-hcl2")),
        Implementation("tree-sitter-hcl", "C", "a concrete syntax tree", with_python("tree-sitter-hcl")),
        Implementation("hcl2-parser", "Go, as JavaScript", "an object in JSON", with_node("hcl2-parser")),
        Implementation("cdktf-hcl2json", "Go, as WebAssembly", "an object in JSON", with_node("cdktf-hcl2json")),
    ]
