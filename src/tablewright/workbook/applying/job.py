"""Entry points of the child process for workbooks. Each takes a path and JSON arguments and returns JSON bytes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablewright.domain.codec import from_python, to_json
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.workbook.applying.steps import apply_step, apply_steps, judge_steps
from tablewright.workbook.base import Applied, ApplyPolicy, FormulaError, FrameBlock, StepOutcome
from tablewright.workbook.operations.code import write_frame
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.conversion import text_losses
from tablewright.workbook.package.held import words_known
from tablewright.workbook.package.journal import merged
from tablewright.workbook.package.opener import Opened, kind_of, opened
from tablewright.workbook.package.progress import marking
from tablewright.workbook.package.recalculation import Recalculated, formula_errors, has_formulas, recalculate

Run = Callable[[Book, int], list[StepOutcome]]


def apply(
    path: Path, *, name: str, target: str, operations: Sequence[Any], policy: dict[str, Any], marks: str | None = None
) -> bytes:
    """Apply operations, write `target` and return `Applied` as JSON. Progress is written to the pipe `marks`."""
    steps = from_python(tuple[AnyOperation, ...], list(operations))
    rules = from_python(ApplyPolicy, policy)
    with marking(marks) as mark:
        applied = run(path, name, Path(target), rules, lambda book, shown: apply_steps(book, steps, shown, mark))
    return to_json(Applied, applied)


def validate(path: Path, *, name: str, operations: Sequence[Any]) -> bytes:
    """Apply operations to a book that is never written; return the problems of each as JSON."""
    steps = from_python(tuple[AnyOperation, ...], list(operations))
    with opened(path, name) as found:
        outcomes = judge_steps(found.book, steps)
    problems = tuple((outcome.error,) if outcome.error else () for outcome in outcomes)
    return to_json(tuple[tuple[Notice, ...], ...], problems)


def apply_frame(
    path: Path,
    *,
    name: str,
    target: str,
    frame: Any,
    sheet: str | None,
    at: str,
    overwrite: str | None,
    policy: dict[str, Any],
) -> bytes:
    """Write a frame into a sheet and return `Applied` as JSON."""
    given = from_python(FrameBlock, frame)

    def work(book: Book, shown: int) -> list[StepOutcome]:
        return [apply_step(book, lambda step: write_frame(step, given, sheet, at, overwrite), shown)]

    return to_json(Applied, run(path, name, Path(target), from_python(ApplyPolicy, policy), work))


def losses(path: Path, *, name: str) -> bytes:
    """Return what the first write would lose, as JSON. A text file is not converted to know it."""
    if kind_of(path, name) == "text":
        return to_json(tuple[Notice, ...], text_losses(name))
    with opened(path, name) as found:
        return to_json(tuple[Notice, ...], found.losses)


def run(path: Path, name: str, target: Path, policy: ApplyPolicy, work: Run) -> Applied:
    """Open the file, do the work, recompute, look for new errors; then put the result in place, or write nothing."""
    with opened(path, name) as found, tempfile.TemporaryDirectory(dir=target.parent) as folder:
        known = words_known(found.book)
        outcomes = work(found.book, policy.cells_shown)
        changes = merged([outcome.changes for outcome in outcomes], policy.cells_shown)
        plain = Applied(steps=tuple(outcomes), changes=changes, written=False, losses=found.losses)
        if not any(outcome.changes for outcome in outcomes):
            return plain
        draft = Path(folder) / "draft.xlsx"
        found.book.save(draft)
        computing = policy.recalculate and has_formulas(found.book)
        gone = known - words_known(found.book)
        computed = recalculate(draft, name, gone) if computing else Recalculated()
        new = _new_errors(path, name, draft, computed, found, Path(folder)) if computing else []
        if new and policy.roll_back_on_errors:
            return replace(plain, changes=(), rolled_back=True, new_errors=tuple(new), warnings=computed.notices)
        os.replace(draft, target)  # noqa: PTH105  # atomic on one file system, whatever is there already
        return replace(plain, written=True, new_errors=tuple(new), warnings=computed.notices)


def _new_errors(
    path: Path, name: str, draft: Path, computed: Recalculated, found: Opened, folder: Path
) -> list[FormulaError]:
    """Return formula errors that were not there before.

    The original file is recomputed too, since its stored results may be out of date.
    """
    after = [*formula_errors(draft, name), *computed.circular]
    if not after:
        return after
    earlier = folder / "earlier.xlsx"
    before: list[FormulaError] = []
    with opened(path, name) as original:
        if original.losses == found.losses:
            original.book.save(earlier)
            old = recalculate(earlier, name)
            before = [*formula_errors(earlier, name), *old.circular]
    return _without(after, before)


def _without(after: list[FormulaError], before: list[FormulaError]) -> list[FormulaError]:
    """Leave out errors that existed before, in place or moved: as many of one kind on a sheet as there were."""
    places = {(error.sheet, error.ref, error.error) for error in before}
    new = [error for error in after if (error.sheet, error.ref, error.error) not in places]
    gone = [
        error
        for error in before
        if (error.sheet, error.ref, error.error) not in {(e.sheet, e.ref, e.error) for e in after}
    ]
    spare: dict[tuple[str, str], int] = {}
    for error in gone:
        spare[error.sheet, error.error] = spare.get((error.sheet, error.error), 0) + 1
    kept: list[FormulaError] = []
    for error in new:
        if spare.get((error.sheet, error.error), 0) > 0:
            spare[error.sheet, error.error] -= 1
        else:
            kept.append(error)
    return kept
