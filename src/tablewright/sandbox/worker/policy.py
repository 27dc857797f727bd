"""The imports that a cell may use.

This is guidance for whoever writes the code, not a security boundary: that is the jail.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator, Sequence

DENIED = frozenset({
    "subprocess", "ctypes", "socket", "socketserver", "multiprocessing", "_posixsubprocess", "pty", "ssl", "ftplib",
    "smtplib",
    "poplib", "imaplib", "telnetlib", "xmlrpc", "webbrowser", "pip", "ensurepip", "venv", "fcntl", "resource",
    "_ctypes",
    "_socket", "_multiprocessing",
})  # fmt: skip
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


class Policy:
    """The import policy of the session's lease: `only` these packages, if any are given, and none of `refused`."""

    def __init__(self, *, checked: bool = True, only: Sequence[str] = (), refused: Sequence[str] = ()) -> None:
        self.checked = checked
        self._only = tuple(only)
        self._refused = (DENIED if not only else frozenset[str]()) | frozenset(refused)

    def _may(self, name: str) -> bool:
        return name == "tw" or (name not in self._refused and (not self._only or name in self._only))

    def importable(self) -> str:
        """Describe what may be imported."""
        if self._only:
            return ", ".join(name for name in dict.fromkeys((*self._only, "tw")) if self._may(name))
        there = [name for name in (*MAIN, *MORE) if self._may(name) and (name == "tw" or _exists(name))]
        return ", ".join([*there, "and the standard library"])

    def refusal(self, tree: ast.AST) -> str | None:
        """Return the reason why a cell's imports are refused, or None if they are allowed."""
        for name in _named(tree) if self.checked else ():
            if not self._may(name):
                return f"{name!r} may not be imported here. Importable: {self.importable()}."
        return None

    def missing(self, name: str | None) -> str:
        """Return advice on what to use instead of a missing module."""
        return f"No module named {name!r}; nothing can be installed here. Importable: {self.importable()}."
