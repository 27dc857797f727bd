"""The module `tw` for user code: tables, charts and files that the answer may show."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from . import charts
from .emitter import Emitter
from .formula_text import Guard, changed_text, frame_of
from .tables import table_of


class Tools:
    """The functions of `tw`, bound to the running session; `folder` is its working folder."""

    folder: str = "."

    def __init__(self, emitter: Emitter) -> None:
        self._emitter = emitter

    def chart(
        self,
        kind: str,
        data: Any = None,
        x: Any = None,
        y: Any = None,
        series: Any = None,
        title: str | None = None,
        option: dict[str, Any] | None = None,
    ) -> None:
        """Show a chart. `x`, `y` and `series` are columns of `data` or sequences; `y` may be a list of columns.

        Kinds: bar, line, area, pie, scatter, histogram, stacked bar, grouping line, grouping scatter. `option` is
        passed to the component that draws the chart for people.
        """
        chart = charts.chart_of(kind, data, x, y, series=series, title=title)
        self._emitter.chart(chart, charts.option_of(option))
        self._emitter.image(charts.picture_of(chart))

    def table(self, data: Any, title: str | None = None) -> None:
        """Show a table: a frame, a series, a list or a mapping."""
        table = table_of(data)
        if table is None:
            raise TypeError(f"not a table: {type(data).__name__}")
        self._emitter.table({**table, "title": title}, "shown")

    def file(self, path: str | Path) -> None:
        """Deliver a file that was written in the working folder."""
        found = Path(path).resolve()
        if not found.is_file():
            raise FileNotFoundError(f"no such file: {path}")
        try:
            inside = found.relative_to(Path(self.folder).resolve())
        except ValueError:
            raise ValueError(f"not in the working folder {self.folder}: {path}") from None
        self._emitter.file(str(inside))

    def guard(self, data: Any) -> Any:
        """Return a table for a CSV or TSV file, in which no text is a formula for a spreadsheet program.

        Texts that begin like one get an apostrophe; how many is printed. Numbers and other values stay.
        """
        guard = Guard()
        frame = guard.frame(frame_of(data))
        if guard.changed:
            self._emitter.write("stdout", changed_text(guard.changed))
        return frame

    def progress(self, done: float, total: float = 1.0, text: str = "") -> None:
        """Report the progress of long work: `done` of `total`, and a description of the current work."""
        self._emitter.progress(str(text), min(1.0, max(0.0, float(done) / float(total))) if total else None)


def module_of(tools: Tools) -> ModuleType:
    """Return the importable module `tw`."""
    module = ModuleType("tw", __doc__)
    for name in ("chart", "table", "file", "guard", "progress"):
        setattr(module, name, getattr(tools, name))
    sys.modules["tw"] = module
    return module
