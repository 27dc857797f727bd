"""What is set when a library is imported, whenever that is."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

Action = Callable[[Any], None]


class _Loading(Loader):
    """Loads as the library's own loader does, and then acts."""

    def __init__(self, loader: Loader, action: Action) -> None:
        self._loader = loader
        self._action = action

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._action(module)


class AfterImport(MetaPathFinder):
    """Acts once on each module that it was told of."""

    def __init__(self, actions: dict[str, Action]) -> None:
        self._actions = dict(actions)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module that is waited for; all others are found by those who come after."""
        action = self._actions.pop(fullname, None)
        spec = PathFinder.find_spec(fullname, path, target) if action is not None else None
        if action is None or spec is None or spec.loader is None:
            return None
        spec.loader = _Loading(spec.loader, action)
        return spec

    def install(self) -> None:
        """Begin to wait."""
        sys.meta_path.insert(0, self)


def set_pandas(pandas: Any) -> None:
    """Show tables as wide as people read them, and keep quiet about what a later version will do."""
    pandas.set_option("display.width", 200)
    pandas.set_option("display.max_columns", 50)
    pandas.set_option("display.max_colwidth", 80)
    pandas.set_option("display.max_rows", 60)
    pandas.options.display.unicode.east_asian_width = True
    pandas.set_option("io.excel.xlsx.reader", "openpyxl")
    coming = getattr(pandas.errors, "PandasChangeWarning", None)
    if coming is not None:
        warnings.filterwarnings("ignore", category=coming)
