"""What earlier runs of a conversation executed, read back from their logs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tablewright.agent.cell_names import CellNames, names_of
from tablewright.domain.events import CodeFinished, Event, SessionLost, StepFinished
from tablewright.domain.events.runs import RESUMED
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.store.base import Store

RUNS = 200
"""The number of earlier runs whose code is read."""
PAGE = 1000
"""The number of events read at a time."""
_read = lru_cache(maxsize=4096)(names_of)
CELL_TYPES = ("code.finished", "step.finished", "session.lost")
"""The types of the events that tell what a run has executed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutedCell:
    """Code that ran without error, and how long it took."""

    code: str
    elapsed_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierRun:
    """A run and the cells that produced what it left behind, in order.

    `anew`: it continued without what was there before.
    """

    run_id: str
    cells: tuple[ExecutedCell, ...]
    anew: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierRuns:
    """The runs before a given run. `whole`: all files that they were given still exist."""

    runs: tuple[EarlierRun, ...] = ()
    whole: bool = True

    @property
    def cells(self) -> tuple[ExecutedCell, ...]:
        """The cells of all runs, in order."""
        return tuple(cell for run in self.runs for cell in run.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnseenState:
    """What cells left that a session has not seen: names last bound or changed by them, and possible file names."""

    names: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    cells: int = 0

    def wanted_by(self, cell: CellNames, made: Collection[str] = ()) -> bool:
        """Return whether `cell` uses any of it, apart from the names in `made`, which have been bound again since."""
        if not self.cells:
            return False
        return cell.opaque or not self.names.isdisjoint(cell.taken.difference(made)) or bool(self.files & cell.files)


def unseen(runs: Iterable[EarlierRun], seen: Collection[str]) -> UnseenState:
    """Return what a session that has seen the runs `seen` is missing."""
    runs = tuple(runs)
    names: set[str] = set()
    files: set[str] = set()
    count = 0
    for run in runs if any(run.cells for run in runs if run.run_id not in seen) else ():
        for read in (_read(cell.code) for cell in run.cells):
            if run.run_id in seen:
                names -= read.bound
            else:
                names |= read.touched
                files |= read.files
                count += 1
    return UnseenState(names=frozenset(names), files=frozenset(files), cells=count)


def takes_up(runs: Iterable[EarlierRun], cells: Iterable[str]) -> bool:
    """Return whether any of `cells`, taken in order, uses what `runs` left behind."""
    left = unseen(runs, ())
    made: set[str] = set()
    for code in cells:
        names = names_of(code)
        if left.wanted_by(names, made):
            return True
        made |= names.bound
    return False


async def asked_before(store: Store, scope: Scope, run: Run) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the ids of the conversation's runs before `run`, oldest first, and of the files they were given."""
    runs: dict[str, None] = {}
    files: set[str] = set()
    for message in await store.conversations.questions(scope, run.conversation_id):
        if message.run_id == run.stream_id:
            break
        if message.run_id is not None:
            runs[message.run_id] = None
            files.update(message.file_ids)
    return tuple(runs), frozenset(files)


async def earlier_than(store: Store, scope: Scope, run: Run, known: Iterable[EarlierRun] = ()) -> EarlierRuns:
    """Return what the conversation executed before `run`, as far as later cells can depend on it.

    Runs in `known` are not read from their logs again.
    """
    ids, file_ids = await asked_before(store, scope, run)
    read = {earlier.run_id: earlier for earlier in known}
    runs: list[EarlierRun] = []
    for run_id in ids[-RUNS:]:
        earlier = read.get(run_id) or cells_of(run_id, await events_of(store, scope, run_id, CELL_TYPES))
        if earlier.anew:
            runs.clear()
        runs.append(earlier)
    linked = {file.id for file in await store.files.linked(scope, run.conversation_id)}
    return EarlierRuns(runs=tuple(runs), whole=file_ids <= linked)


async def code_of(store: Store, scope: Scope, run_id: str) -> str | None:
    """Return the code of the run's successful steps, joined, or None."""
    run = cells_of(run_id, await events_of(store, scope, run_id, CELL_TYPES))
    return "\n\n".join(cell.code for cell in run.cells) or None


async def events_of(store: Store, scope: Scope, run_id: str, types: Sequence[str] = ()) -> list[Event]:
    """Return the run's own events, not those of the runs below it, whose type is in `types`, or all."""
    events: list[Event] = []
    while page := await store.log.events(scope, run_id, after=events[-1].seq if events else 0, types=types, own=True):
        events.extend(page)
        if len(page) < PAGE:
            break
    return events


def cells_of(run_id: str, events: Iterable[Event]) -> EarlierRun:
    """Return the cells of a run that ended well, each once."""
    code: dict[str | None, str] = {}
    done: list[ExecutedCell] = []
    anew = False
    for event in events:
        body = event.body
        if isinstance(body, CodeFinished):
            code[body.step_id] = body.code
        elif isinstance(body, StepFinished) and body.status == "ok" and body.step_id in code:
            done.append(ExecutedCell(code=code[body.step_id], elapsed_s=body.elapsed_s))
        elif isinstance(body, SessionLost) and body.reason == RESUMED:
            done.clear()
        elif isinstance(body, SessionLost):
            anew = True
    return EarlierRun(run_id=run_id, cells=tuple(done), anew=anew)
