"""The port to users' workbooks: apply operations without loss, read sheets for models and people.

The port works from files to files: a path goes in, and another path plus a description of the changes comes out.
Versions, undo and write permissions are handled by the layers above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from tablewright.domain.cells import ShapeChange, SheetChanges
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.table import Cell, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyPolicy:
    """How a batch of operations is applied.

    `roll_back_on_errors`: undo the whole batch when it causes formula errors that were not there before. `recalculate`:
    recompute formulas afterwards so that the stored results are correct. `cells_shown`: the maximum number of changed
    cells listed per sheet and step.
    """

    roll_back_on_errors: bool = True
    recalculate: bool = True
    cells_shown: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaError:
    """A cell whose formula results in an error (`#REF!`, `#VALUE!`, or `#CIRC!` for a circular one)."""

    sheet: str
    ref: str
    error: str
    formula: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """The outcome of one operation.

    A failed operation leaves the workbook as it was before. `cells_changed` counts all changed cells, listed or not;
    `shape` has the rows, columns and sheets that were added or removed;
    `result` is what a read-only operation found; `elapsed_s` is the time of this operation alone. `traceback` is for
    the log: that of an error which no operation should end with.
    """

    status: Literal["completed", "failed"]
    error: Notice | None = None
    changes: tuple[SheetChanges, ...] = ()
    cells_changed: int = 0
    shape: tuple[ShapeChange, ...] = ()
    result: Table | None = None
    notes: tuple[Notice, ...] = ()
    elapsed_s: float = 0.0
    traceback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The outcome of a batch.

    `written`: the target file exists and differs from the source. It is False when no step succeeded, when all steps
    only read, or when the batch was `rolled_back`. `changes` merges the changes of the steps, with the first and the
    last content of each cell. `losses` lists what the source file had and the target no longer has; `new_errors` lists
    the formula errors that were not there before.
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
    """A cell as a person sees it: value (dates as ISO 8601), formula and number format."""

    ref: str
    value: Cell
    formula: str | None = None
    format: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellPage:
    """The non-empty cells of `range`, row by row; `next_range` is the remainder when not all of them fit."""

    sheet: str
    range: str
    cells: tuple[CellView, ...]
    next_range: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The differences between two workbooks, cell by cell.

    Formats and floating objects (charts, pictures, shapes) are not compared.
    """

    sheets: tuple[SheetChanges, ...]
    sheets_added: tuple[str, ...] = ()
    sheets_removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameBlock:
    """A table to write into a sheet: headers and rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSheet:
    """A sheet to create. Its rows start at cell `at`; text that starts with `=` is a formula."""

    name: str
    rows: tuple[tuple[Cell, ...], ...]
    at: str = "A1"


Watch = Callable[[int | None], None]
"""Called with the index of each operation (from 0) as it begins, and with None once all have been applied."""


class ChildWorker(Protocol):
    """Runs code that touches a user's file in a child process, which can be killed."""

    async def call(self, operation: str, path: Path, arguments: Mapping[str, Any]) -> bytes:
        """Run `operation`, a `module:function` of this package, with `(path, **arguments)` and return its bytes."""
        ...


class WorkbookEditor(Protocol):
    """Edits and reads workbooks.

    xlsx and xlsm are supported directly; other formats are converted first, with a warning. Every method may raise
    `FileUnreadable` (or a subclass) and `FileTooLarge`; methods that take a sheet or a range may also raise
    `InvalidInput`. A failing step raises nothing: the failure is its outcome.
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
        """Apply operations in order and write the result to `target`.

        `run_python` fails here: the caller runs the code and passes the resulting frame to `apply_frame`. `name` is the
        file's name in error messages. `watch` is called with the progress, as far as it is known.
        """
        ...  # fmt: skip

    async def apply_frame(
        self,
        source: Path,
        target: Path,
        frame: FrameBlock,
        *,
        sheet: str | None,
        at: str,
        overwrite: str | None = None,
        policy: ApplyPolicy | None = None,
        name: str | None = None,
    ) -> Applied:
        """Write a frame, including its headers, from cell `at` on.

        Fails when the frame would cover non-empty cells, except those within the range `overwrite`, which is cleared
        first. A sheet that does not exist is created.
        """
        ...  # fmt: skip

    async def validate(
        self, source: Path, operations: Sequence[AnyOperation], *, name: str | None = None
    ) -> tuple[tuple[Notice, ...], ...]:
        """Return the problems of each step, without writing anything.

        Each step is checked against the workbook as the preceding steps would leave it.
        """
        ...

    async def outline(self, path: Path, *, tokens: int = 4_000, name: str | None = None) -> WorkbookOutline:
        """Describe all sheets in about `tokens` tokens. What does not fit is left out in a fixed order, and counted."""
        ...

    async def cells(
        self, path: Path, sheet: str | None, wanted: str | None = None, *, limit: int = 2_000, name: str | None = None
    ) -> CellPage:
        """Return a page of cells from the range `wanted`, by default from the whole used area."""
        ...

    async def diff(self, before: Path, after: Path, *, cells_shown: int = 1_000) -> Difference:
        """Compare two workbooks."""
        ...

    async def losses(self, path: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        """Return what the first write would lose or change of its own accord (conversion, signatures)."""
        ...

    async def create(self, target: Path, sheets: Sequence[NewSheet]) -> None:
        """Write a new workbook with at least one sheet."""
        ...

    async def convert(self, source: Path, target: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        """Write a file of any supported kind as xlsx and return what was lost.

        A file that is xlsx or xlsm already is copied.
        """
        ...

    async def compute(self, source: Path, target: Path, *, name: str | None = None) -> tuple[Notice, ...]:
        """Write a copy of an xlsx file with every formula computed; return what could not be computed."""
        ...

    async def cuts(self, path: Path, *, name: str | None = None) -> tuple[int, ...]:
        """Return ascending offsets at which the file may be cut so that its versions share equal pieces."""
        ...
