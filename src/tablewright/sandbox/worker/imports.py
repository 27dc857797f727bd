"""Settings applied to a library as soon as it is imported."""

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
    """Loads a module with its own loader, then runs an action on it."""

    def __init__(self, loader: Loader, action: Action) -> None:
        self._loader = loader
        self._action = action

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        self._action(module)


class AfterImport(MetaPathFinder):
    """Runs an action once on each of the given modules after its import."""

    def __init__(self, actions: dict[str, Action]) -> None:
        self._actions = dict(actions)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module that has an action; all others are left to the finders that follow."""
        action = self._actions.pop(fullname, None)
        spec = PathFinder.find_spec(fullname, path, target) if action is not None else None
        if action is None or spec is None or spec.loader is None:
            return None
        spec.loader = _Loading(spec.loader, action)
        return spec

    def install(self) -> None:
        """Install the finder."""
        sys.meta_path.insert(0, self)


def set_pandas(pandas: Any) -> None:
    """Display tables at full width, and silence warnings about changes in later versions."""
    pandas.set_option("display.width", 200)
    pandas.set_option("display.max_columns", 50)
    pandas.set_option("display.max_colwidth", 80)
    pandas.set_option("display.max_rows", 60)
    pandas.options.display.unicode.east_asian_width = True
    pandas.set_option("io.excel.xlsx.reader", "openpyxl")
    coming = getattr(pandas.errors, "PandasChangeWarning", None)
    if coming is not None:
        warnings.filterwarnings("ignore", category=coming)
