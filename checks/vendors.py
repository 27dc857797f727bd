"""Checks that every library of others which the source imports is named in an import rule of `pyproject.toml`.

The rules say for each library which part of the source may import it. A library that no rule names could spread."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "tablewright"
FOR_ALL = frozenset({"anyio", "pydantic", "pydantic_core", "typing_extensions"})
"""Libraries that every part may import: they are its language rather than a vendor's."""


def imported(source: Path) -> dict[str, str]:
    """Return the libraries of others that files below `source` import, by top-level name → the first such file."""
    found: dict[str, str] = {}
    for file in sorted(source.rglob("*.py")):
        beside = {path.stem for path in file.parent.iterdir()} | {source.name}
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for top in (name.split(".")[0] for name in names):
                if top not in sys.stdlib_module_names and top not in beside:
                    found.setdefault(top, str(file.relative_to(source)))
    return found


def ruled(project: Mapping[str, Any]) -> frozenset[str]:
    """Return the libraries that a rule of the parsed `pyproject.toml` allows to some parts only."""
    contracts = project["tool"]["importlinter"]["contracts"]
    return frozenset(name for contract in contracts for name in contract.get("protected_modules", ()))


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    free = {name: file for name, file in imported(SOURCE).items() if name not in ruled(project) | FOR_ALL}
    found = [f"{file}: imports {name}, which no import rule in pyproject.toml names" for name, file in free.items()]
    print("\n".join(found) or "vendors: every library of others has its place")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
