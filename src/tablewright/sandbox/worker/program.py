"""Facts about this program for whoever starts it: its location, its digest, its environment."""

from __future__ import annotations

import hashlib
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "USER": "analyst",
    "LOGNAME": "analyst",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "MATPLOTLIBRC": str(FOLDER / "matplotlibrc"),
    # One thread each: a session has one processor, and only one thread survives a fork.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": "1",
    "LOKY_MAX_CPU_COUNT": "1",
    "JOBLIB_MULTIPROCESSING": "0",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "_RJEM_MALLOC_CONF": "background_thread:false",
}


def digest() -> str:
    """Return a hash of the program's files: programs with different hashes may not understand each other."""
    found = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.py"), key=lambda path: path.relative_to(FOLDER).parts):
        found.update(str(path.relative_to(FOLDER)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]
