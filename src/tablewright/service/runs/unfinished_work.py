"""What a run with tools has come to that was cancelled: later requests of its conversation are told of it."""

from __future__ import annotations

from tablewright.agent.react.conversation import Conversation, record_lines
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.store.base import Store
from tablewright.texts.catalogue import text

MODES = frozenset({"react", "plan"})
LINE_CHARS = 1_000
"""How much of each message and result is told."""
MOST_CHARS = 8_000


async def unfinished_work(store: Store, scope: Scope, run_id: str) -> str | None:
    """Return what a cancelled run had done, without asking a model; None of any other run, or where it is nothing."""
    run = await store.runs.get(scope, run_id)
    if run.outcome != "cancelled" or run.answer is not None or run.mode not in MODES:
        return None
    done = await _of_tasks(store, scope, run) if run.mode == "plan" else await _of_calls(store, scope, run)
    return f"{text('agent.cancelled_work', run.language)}\n\n{done[:MOST_CHARS]}" if done else None


async def _of_calls(store: Store, scope: Scope, run: Run) -> str:
    own = Conversation(list(await store.log.transcript(scope, run.id))).own
    return record_lines(own, LINE_CHARS, run.language)


async def _of_tasks(store: Store, scope: Scope, run: Run) -> str:
    children = await store.runs.children(scope, run.id)
    return "\n\n".join(f"{child.question}\n{child.answer.text}" for child in children if child.answer is not None)
