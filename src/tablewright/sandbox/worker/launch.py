"""The entry script, run by path with the sandbox's interpreter: `launch.py <name> [<descriptor of a socket>]`.

It loads this folder as a package with a private name, so that its modules find each other and nothing else of this
project is visible.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import socket
import sys
from pathlib import Path

_PACKAGE = "_sandbox_worker"


def _package() -> None:
    folder = Path(__file__).resolve().parent
    found = importlib.util.spec_from_file_location(
        _PACKAGE, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if found is None or found.loader is None:
        raise ImportError(str(folder))
    module = importlib.util.module_from_spec(found)
    sys.modules[_PACKAGE] = module
    found.loader.exec_module(module)


def main() -> None:
    """Run the program that the first argument names."""
    _package()
    name, *descriptors = sys.argv[1:]
    gc.disable()  # what is imported stays
    entry = importlib.import_module(f"{_PACKAGE}.{name}")
    gc.enable()
    entry.main(*(socket.socket(fileno=int(descriptor)) for descriptor in descriptors))


if __name__ == "__main__":
    main()
