"""Checks that every folder of the source with modules in it or below it is a package.

A folder without `__init__.py` still imports, as a namespace, but tools that walk packages pass it over: the import
rules
would not see its modules. Folders that hold only resources (catalogues, prompts, the page) need none: they are read
through the package that they lie in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "tablewright"


def faults(source: Path) -> Iterator[str]:
    """Yield a sentence for each folder at or below `source` whose modules are in no package."""
    folders = {folder for file in source.rglob("*.py") for folder in file.parents if folder.is_relative_to(source)}
    for folder in sorted(folders):
        if not (folder / "__init__.py").is_file():
            yield f"{folder.relative_to(source.parent)}: holds modules and no __init__.py; add one that says what it is"


def main() -> int:
    found = list(faults(SOURCE))
    print("\n".join(found) or "packages: every folder with modules is a package")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
