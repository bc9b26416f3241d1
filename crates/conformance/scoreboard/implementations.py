"""Who is on the scoreboard: how each driver is built and run, and what reading a file means for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DRIVERS = ROOT / "crates/conformance/drivers"
BUILT = ROOT / "target" / "drivers"
WINDOWS = os.name == "nt"


# HCL 1 has no expressions and other separators: its readers are here for those who still have files of it.
OTHER_LANGUAGE = "another language: HCL 1"


class CannotBuild(Exception):
    """Why a driver is not there."""


class Implementation:
    """One column. `build` gives the command that runs its driver; `note` is what readers must know of it."""

    def __init__(self, key, language, reads, build, note=""):
        self.key, self.language, self.reads, self.build, self.note = key, language, reads, build, note


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


def with_maven(name):
    def build():
        needs("mvn", "java")
        target, folder = BUILT / name, DRIVERS / name
        classes = target / "classes"
        quiet = ["mvn", "--quiet", "--batch-mode", f"-DbuildDirectory={target}", "--file", folder / "pom.xml"]
        done([*quiet, "compile", "dependency:copy-dependencies", f"-DoutputDirectory={target / 'lib'}"])
        return ["java", "-cp", os.pathsep.join([str(classes), str(target / "lib" / "*")]), "Driver"]

    return build


def with_go_module(name):
    def build():
        needs("go")
        driver = BUILT / f"{name}-driver"
        done(["go", "build", "-trimpath", "-o", driver, "."], cwd=DRIVERS / name)
        return [str(driver)]

    return build


def with_python(name, driver=None):
    """`driver` is the folder of the driver, if it is another one's."""

    def build():
        place = BUILT / name
        python = place / ("Scripts/python.exe" if WINDOWS else "bin/python")
        if not python.exists():
            done([sys.executable, "-m", "venv", place])
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done([*pip, "--requirement", DRIVERS / name / "requirements.txt"])
        return [str(python), str(DRIVERS / (driver or name) / "driver.py"), name]

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
        Implementation("bc-python-hcl2", "Python", "a dictionary", with_python("bc-python-hcl2", "python-hcl2")),
        Implementation("tree-sitter-hcl", "C", "a concrete syntax tree", with_python("tree-sitter-hcl")),
        Implementation("hcl2-parser", "Go, as JavaScript", "an object in JSON", with_node("hcl2-parser")),
        Implementation("hcl2-json-parser", "Go, as JavaScript", "an object in JSON", with_node("hcl2-json-parser")),
        Implementation("cdktf-hcl2json", "Go, as WebAssembly", "an object in JSON", with_node("cdktf-hcl2json")),
        Implementation("hcl4j", "Java", "the values of all attributes", with_maven("hcl4j")),
        Implementation("hcl-v1", "Go", "a syntax tree", with_go_module("hcl-v1"), OTHER_LANGUAGE),
        Implementation("pyhcl", "Python", "a dictionary", with_python("pyhcl"), OTHER_LANGUAGE),
    ]
