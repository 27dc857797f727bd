"""The port to users' workbooks: operations applied without loss, sheets read for models and people.

Pure: a path in, another path and what changed out. Versions, undo and who may write are the business of the floors above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from tablewright.domain.cells import SheetChanges
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.table import Cell, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyPolicy:
    """How a batch is applied.

    `roll_back_on_errors`: formula errors that were not there before undo the whole batch. `recalculate`: formulas get
    their true values afterwards. `cells_shown`: at most so many changed cells are listed per sheet and step.
    """

    roll_back_on_errors: bool = True
    recalculate: bool = True
    cells_shown: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaError:
    """A cell whose formula gives an error (`#REF!`, `#VALUE!`, `#CIRC!` for a circular one)."""

    sheet: str
    ref: str
    error: str
    formula: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """What became of one operation. A failed one left the workbook as it was before it. `cells_changed` counts all
    changed cells, listed or not; `result` is what an operation that only reads found; `elapsed_s` is its own time."""

    status: Literal["completed", "failed"]
    error: Notice | None = None
    changes: tuple[SheetChanges, ...] = ()
    cells_changed: int = 0
    result: Table | None = None
    notes: tuple[Notice, ...] = ()
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What became of a batch.

    `written`: the target file is there and differs from the source; it is not when nothing succeeded, when all steps
    only read, or when the batch was `rolled_back`. `changes` joins those of the steps: each cell as it was first and is
    last. `losses` are what the file had and will not have any more; `new_errors` formula errors that were not there.
    """

    steps: tuple[StepOutcome, ...]
    changes: tuple[SheetChanges, ...]
    written: bool
    rolled_back: bool = False
    new_errors: tuple[FormulaError, ...] = ()
    warnings: tuple[Notice, ...] = ()
    losses: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """A cell as a person sees it: value (dates as ISO 8601), formula, number format."""

    ref: str
    value: Cell
    formula: str | None = None
    format: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPage:
    """The cells of `range` that are not empty, row by row; `next_range` is what follows when not all fitted."""

    sheet: str
    range: str
    cells: tuple[CellView, ...]
    next_range: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What differs between two workbooks, cell by cell; formats and what floats over sheets do not count."""

    sheets: tuple[SheetChanges, ...]
    sheets_added: tuple[str, ...] = ()
    sheets_removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A table to write into a sheet: its headers and its rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSheet:
    """A sheet to be made: its rows begin at cell `at`; a text that starts with `=` is a formula."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]
    at: str = "A1"


Watch = Callable[[int | None], None]
"""Called with the place of each operation (from 0) as it begins, and with None once all are applied."""


class ChildWorker(Protocol):
    """Runs what touches a user's file in a child process that may be killed."""

    async def call(self, operation: str, path: Path, arguments: Mapping[str, Any]) -> bytes:
        """Run `operation`, a `module:function` of ours taking `(path, **arguments)`, and return the bytes it returns."""
        ...


class WorkbookEditor(Protocol):
    """Edits and reads workbooks (xlsx, xlsm; others are converted first, with a warning).

    Errors of every method: `FileUnreadable` and its kinds, `FileTooLarge`; of those that name a sheet or range also
    `InvalidInput`. Faults of a step are no errors: they are its outcome.
    """

    async def apply(
        self,
        source: Path,
        target: Path,
        operations: Sequence[AnyOperation],
        *,
        policy: ApplyPolicy | None = None,
        name: str | None = None,
        watch: Watch | None = None,
    ) -> Applied:
        """Apply operations in order and write the result to `target`. `run_python` fails here: whoever runs it hands
        its frame to `apply_frame`. `name` is what errors call the file. `watch` is told how far it has come, as well as
        it is known."""
        ...  # fmt: skip

    async def apply_frame(
        self,
        source: Path,
        target: Path,
        frame: Frame,
        *,
        sheet: str | None,
        at: str,
        overwrite: str | None = None,
        policy: ApplyPolicy | None = None,
        name: str | None = None,
    ) -> Applied:
        """Write a frame with its headers from cell `at` on. Cells that hold something stop it, except those within the
        range `overwrite`, which is emptied first. A sheet that does not exist is made."""
        ...  # fmt: skip

    async def validate(
        self, source: Path, operations: Sequence[AnyOperation], *, name: str | None = None
    ) -> tuple[tuple[Notice, ...], ...]:
        """Return the problems of each step, without writing. A step is judged on the workbook as the steps before it
        would leave it."""
        ...

    async def outline(self, path: Path, *, tokens: int = 4_000, name: str | None = None) -> WorkbookOutline:
        """Describe all sheets in about `tokens` tokens: what does not fit is left out by rule, and counted."""
        ...

    async def cells(
        self, path: Path, sheet: str | None, wanted: str | None = None, *, limit: int = 2_000, name: str | None = None
    ) -> CellPage:
        """Return a page of cells of the range `wanted` (of all that is used when none is given)."""
        ...

    async def diff(self, before: Path, after: Path, *, cells_shown: int = 1_000) -> Difference:
        """Compare two workbooks."""
        ...

    async def losses(self, path: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        """Return what the first write would lose or change by itself (conversion, signatures), before it is done."""
        ...

    async def create(self, target: Path, sheets: Sequence[NewSheet]) -> None:
        """Write a new workbook of at least one sheet."""
        ...

    async def convert(self, source: Path, target: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        """Write a file of any kind as xlsx (one that is xlsx or xlsm is copied) and return what that lost."""
        ...

    async def compute(self, source: Path, target: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        """Write a copy of an xlsx file with the value of every formula computed; return what could not be."""
        ...

    async def cuts(self, path: Path, *, name: str | None = None) -> tuple[int, ...]:
        """Return the offsets at which a file may be cut so that versions of it share what is equal; they ascend."""
        ...
