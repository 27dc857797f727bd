"""What code of `run_python` may import. This guides whoever writes the code; the jail is the boundary."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

IMPORTS = (
    "json", "csv", "datetime", "math", "statistics", "random", "pandas", "numpy", "scipy", "statsmodels", "openpyxl",
    "xlrd", "xlsxwriter", "matplotlib", "seaborn", "plotly",
)  # fmt: skip
"""The packages that may be imported by default."""
ALWAYS = frozenset({"tw", "__future__"})


def refused_import(code: str, allowed: Collection[str]) -> str | None:
    """Return the first package that `code` imports and that is not `allowed`; None also where it cannot be parsed."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return next((name for name in _imported(tree) if name not in allowed and name not in ALWAYS), None)


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
