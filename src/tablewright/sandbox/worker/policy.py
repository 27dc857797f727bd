"""Which imports a cell may name. Guidance for whoever writes the code, not a boundary: the jail is the boundary."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator

DENIED = frozenset(
    [
        "subprocess",
        "ctypes",
        "socket",
        "socketserver",
        "multiprocessing",
        "_posixsubprocess",
        "pty",
        "ssl",
        "ftplib",
        "smtplib",
        "poplib",
        "imaplib",
        "telnetlib",
        "xmlrpc",
        "webbrowser",
        "pip",
        "ensurepip",
        "venv",
        "fcntl",
        "resource",
        "_ctypes",
        "_socket",
        "_multiprocessing",
    ]
)
MAIN = ("pandas", "numpy", "matplotlib", "scipy", "statsmodels", "sklearn", "seaborn", "plotly", "duckdb", "polars")
MORE = ("pyarrow", "openpyxl", "xlsxwriter", "xlrd", "python_calamine", "lxml", "odf", "tabulate", "tw")


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _exists(name: str) -> bool:
    if name in sys.modules:
        return sys.modules[name] is not None
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def importable() -> str:
    """Say what may be imported."""
    return ", ".join([name for name in (*MAIN, *MORE) if name == "tw" or _exists(name)] + ["and the standard library"])


def refusal(tree: ast.AST) -> str | None:
    """Return why a cell's imports are refused, None if they are not."""
    for name in _named(tree):
        if name in DENIED:
            return f"{name!r} may not be imported here. Importable: {importable()}."
    return None


def missing(name: str | None) -> str:
    """Say what to use instead of a module that is not there."""
    return f"No module named {name!r}; nothing can be installed here. Importable: {importable()}."
