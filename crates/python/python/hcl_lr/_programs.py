"""The programs ``hcl`` and ``hcldec``, run by the same code as everywhere else."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

from . import _native


def _run(program: str) -> NoReturn:
    # As a program without Python behaves: Ctrl-C ends it at once, and so does a closed pipe.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    status = _native.run_program([program, *sys.argv[1:]])
    sys.exit(status)


def hcl() -> NoReturn:
    """Runs ``hcl``."""
    _run("hcl")


def hcldec() -> NoReturn:
    """Runs ``hcldec``."""
    _run("hcldec")
