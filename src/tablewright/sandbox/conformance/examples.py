"""Code that the conformance suites run, the answers of a scripted fake, and shortcuts for running code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from tablewright.domain.table import Table
from tablewright.sandbox.base import Done, ErrorOutput, LeaseScope, Output, Session, TableOutput, TextOutput, Usage
from tablewright.sandbox.memory import Hang, Scripted, Write, done

SCOPE = LeaseScope(run_id="run")
HANG_S = 300.0
"""How long anything may take that ends by itself: no measure, only what tells a hang from a slow machine."""

PRINTS = "print('one')\nprint('二')"
FAILS = "print('before')\n1 / 0"
LOOPS = "print('looping')\nwhile True:\n    pass"
WRITES = "open('out.txt', 'w').write('some text');"
BINDS = "result = 6 * 7"
EXITS = "import os\nos._exit(3)"
KEEPS = "kept = 41"
USES = "print(kept + 1)"
READS = "print(open('/data/shared/new.txt').read())"

_SECOND = TextOutput(text="one\n二\n")
SCRIPT: dict[str, Sequence[Scripted]] = {
    PRINTS: (_SECOND,),
    FAILS: (
        TextOutput(text="before\n"),
        ErrorOutput(name="ZeroDivisionError", message="division by zero", traceback="line 2\n1 / 0\nZeroDivisionError"),
        done(status="error"),
    ),
    LOOPS: (TextOutput(text="looping\n"), Hang()),
    WRITES: (Write(path="out.txt", content=b"some text"),),
    BINDS: (TableOutput(table=Table(columns=("result",), rows=((42,),), total_rows=1), role="result"),),
    KEEPS: (),
    USES: (TextOutput(text="42\n"),),
    READS: (TextOutput(text="fresh\n"),),
    EXITS: (
        ErrorOutput(name="ProcessExited", message="3", traceback=""),
        Done(status="exited", session_lost=True, usage=Usage(elapsed_s=0.0)),
    ),
}

Kind = TypeVar("Kind")


async def until(condition: Callable[[], bool], *, within_s: float = HANG_S) -> None:
    """Wait for a condition that has no event."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - counters have no event
            await asyncio.sleep(0.001)


async def run(session: Session, code: str, *, timeout_s: float = HANG_S) -> list[Output]:
    """Execute `code` and return all its outputs."""
    return [output async for output in session.execute(code, step_id="step", timeout_s=timeout_s)]


def end(outputs: Sequence[Output]) -> Done:
    """Return the `Done` output, checking that it is the last and the only one."""
    assert [type(output) for output in outputs].count(Done) == 1, outputs
    last = outputs[-1]
    assert isinstance(last, Done), outputs
    return last


def text(outputs: Sequence[Output]) -> str:
    """Return the text of all outputs, concatenated."""
    return "".join(output.text for output in outputs if isinstance(output, TextOutput))


def one(outputs: Sequence[Output], kind: type[Kind]) -> Kind:
    """Return the only output of a kind."""
    found = [output for output in outputs if isinstance(output, kind)]
    assert len(found) == 1, outputs
    return found[0]
