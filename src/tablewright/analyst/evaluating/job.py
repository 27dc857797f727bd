"""The operation `execute` of the child processes that open users' files: reads the tables of plans, executes them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from time import thread_time
from typing import Any

from tablewright.analyst.evaluating.base import Evaluated
from tablewright.analyst.evaluating.memory import evaluate_all
from tablewright.analyst.evaluating.stored import StoredTable
from tablewright.analyst.evaluating.vectors import unknown
from tablewright.analyst.plan_codec import plan_from_python
from tablewright.domain.codec import from_python, to_json
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table import Cell
from tablewright.errors import CallerError, FileTooLarge

KEPT_CELLS = 4_000_000
"""How many cells of tables a child process keeps for the next plans."""
Read = Callable[[Path, DatasetFacts], tuple[tuple[Cell, ...], ...]]

_kept: OrderedDict[tuple[str, str], StoredTable] = OrderedDict()


def execute(
    _path: Path,
    *,
    name: str,  # noqa: ARG001  # the file's name in the messages of the pool
    reader: str,
    tables: Sequence[tuple[str, Any]],
    plans: Sequence[Any],
    most_rows: int,
    language: Language,
    within_s: float,
) -> bytes:
    """Return the JSON of an `Evaluated` for each of `plans`.

    `tables` are the paths and facts of the data sets, `reader` (`module:function`) reads one of them; what plans have
    not given `within_s` of processor time after the tables are read fails with `time`.
    """
    module, _, function = reader.partition(":")
    read: Read = getattr(import_module(module), function)
    facts = [from_python(DatasetFacts, one) for _, one in tables]
    places = [path for path, _ in tables]
    held: dict[str, StoredTable] = {}
    unread: dict[str, str] = {}
    for path, one in zip(places, facts, strict=True):
        try:
            held[one.id] = _table(path, one, read)
        except FileTooLarge:
            unread[unknown(one.id)] = "too_large"
        except CallerError as error:
            unread[unknown(one.id)] = f"unreadable:{error.detail or error.code}"
    found = evaluate_all(
        [plan_from_python(plan) for plan in plans],
        held,
        facts,
        most_rows=most_rows,
        language=language,
        deadline=thread_time() + within_s,
    )
    _forget()
    told = (replace(one, failure=unread.get(one.failure or "", one.failure)) for one in found)
    return to_json(tuple[Evaluated, ...], tuple(told))


def _table(path: str, facts: DatasetFacts, read: Read) -> StoredTable:
    """Return a table, read only once as long as it is kept; a stored file never changes."""
    key = (path, repr((facts.read, [(column.name, column.kind, column.notation) for column in facts.columns])))
    found = _kept.get(key)
    if found is None:
        found = _kept[key] = StoredTable(columns=read(Path(path), facts))
    _kept.move_to_end(key)
    return found


def _forget() -> None:
    """Forget what was not used for longest, as far as all holds too many cells: what was converted, then whole tables.

    The table that was used last stays, however large: to read it again takes longer than most plans over it.
    """
    for table in _kept.values():
        if _cells() <= KEPT_CELLS:
            return
        table.converted.clear()
    while len(_kept) > 1 and _cells() > KEPT_CELLS:
        _kept.popitem(last=False)


def _cells() -> int:
    return sum(table.cells for table in _kept.values())
