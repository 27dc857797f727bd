"""Apply operations in sequence to an open book, each completely or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from traceback import format_exc

from tablewright.domain.cells import ShapeChange
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.code import RunPython
from tablewright.errors import CallerError
from tablewright.workbook.base import StepOutcome
from tablewright.workbook.operations import HANDLERS, READS_VALUES
from tablewright.workbook.operations.code import judge
from tablewright.workbook.operations.context import OperationContext
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.journal import Journal
from tablewright.workbook.package.recalculation import refresh

Work = Callable[[OperationContext], None]


def apply_steps(
    book: Book, operations: Sequence[AnyOperation], cells_shown: int, mark: Callable[[], None]
) -> list[StepOutcome]:
    """Apply operations in order; a failed one leaves the book as it was before.

    `mark` is called as each operation begins, and once after the last.
    """
    outcomes: list[StepOutcome] = []
    for operation in operations:
        mark()
        begun = perf_counter()
        outcome = apply_step(book, _work(operation), cells_shown)
        outcomes.append(replace(outcome, elapsed_s=perf_counter() - begun))
    mark()
    return outcomes


def judge_steps(book: Book, operations: Sequence[AnyOperation]) -> list[StepOutcome]:
    """Apply operations to a book that will not be written; code is checked without running it."""
    works = [
        partial(judge, operation=operation) if isinstance(operation, RunPython) else _work(operation)
        for operation in operations
    ]
    return [apply_step(book, work, 0) for work in works]


def apply_step(book: Book, work: Work, cells_shown: int) -> StepOutcome:
    """Do one piece of work, completely or not at all."""
    moment = book.checkpoint()
    book.shared.journal = Journal(cells_shown)
    step = OperationContext(book)
    sheets = [tab.name for tab in book.tabs]
    try:
        work(step)
        book.flush()
    except CallerError as error:
        book.restore(moment)
        return StepOutcome(status="failed", error=notice_of(error))
    except (ValueError, KeyError, IndexError, OverflowError, AttributeError, TypeError) as error:
        book.restore(moment)  # an unexpected error in one step, caused by a strange file, must not affect the others
        broke = Notice(code="step_broke", params={"cause": type(error).__name__})
        return StepOutcome(status="failed", error=broke, traceback=format_exc())
    book.stale |= bool(book.shared.journal.changes)
    return StepOutcome(
        status="completed", changes=book.shared.journal.changes, cells_changed=book.shared.journal.cells_changed,
        shape=(*_sheets_changed(sheets, [tab.name for tab in book.tabs]), *book.shared.journal.shape),
        result=step.result,
        notes=tuple(step.notes),
    )  # fmt: skip


def _sheets_changed(before: Sequence[str], after: Sequence[str]) -> Iterator[ShapeChange]:
    """Yield the sheets that were added or removed; one that was only renamed is neither."""
    if len(before) != len(after):
        yield from (ShapeChange(sheet=name, axis="sheet", count=1) for name in after if name not in before)
        yield from (ShapeChange(sheet=name, axis="sheet", count=-1) for name in before if name not in after)


def notice_of(error: CallerError) -> Notice:
    """Convert an error to a notice: its detail is a message code of the catalogue."""
    params = {name: value for name, value in error.params.items() if name != "detail"}
    return Notice(code=error.detail or error.code, params=params, field=error.field)


def _work(operation: AnyOperation) -> Work:
    handler = HANDLERS[operation.function]

    def work(step: OperationContext) -> None:
        if operation.function in READS_VALUES:
            refresh(step.book)
        handler(step, operation)

    return work
