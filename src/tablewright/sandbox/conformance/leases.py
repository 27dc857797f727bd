"""The behaviour of sessions and executions in every sandbox, including the fake."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial

import pytest

from tablewright.errors import Busy, NotFound
from tablewright.sandbox.base import (
    Done,
    ErrorOutput,
    LeaseScope,
    Output,
    Sandbox,
    Session,
    SessionFile,
    TableOutput,
    TextOutput,
)
from tablewright.sandbox.conformance.examples import (
    BINDS,
    EXITS,
    FAILS,
    HANG_S,
    LOOPS,
    PRINTS,
    SCOPE,
    WRITES,
    end,
    one,
    run,
    text,
    until,
)


def _waiting(sandbox: Sandbox, number: int) -> bool:
    return sandbox.stats().waiting == number


class LeasesConformance:
    """Needs the fixtures `sandbox` (started) and `session` (leased from it)."""

    async def test_an_execution_yields_its_outputs_in_order_and_done_last(self, session: Session) -> None:
        outputs = await run(session, PRINTS)
        assert text(outputs) == "one\n二\n"
        assert end(outputs).status == "ok"
        assert not end(outputs).session_lost
        assert end(outputs).usage.elapsed_s > 0

    async def test_an_error_is_reported_with_its_traceback_and_keeps_the_session(self, session: Session) -> None:
        outputs = await run(session, FAILS)
        error = one(outputs, ErrorOutput)
        assert (error.name, error.message) == ("ZeroDivisionError", "division by zero")
        assert "line 2" in error.traceback
        assert text(outputs) == "before\n"
        assert (end(outputs).status, end(outputs).session_lost) == ("error", False)
        assert end(await run(session, PRINTS)).status == "ok"

    async def test_the_name_result_becomes_a_table(self, session: Session) -> None:
        table = one(await run(session, BINDS), TableOutput)
        assert table.role == "result"
        assert (table.table.columns, table.table.rows, table.table.total_rows) == (("result",), ((42,),), 1)

    async def test_code_that_runs_too_long_is_interrupted_and_the_session_kept(self, session: Session) -> None:
        outputs = await run(session, LOOPS, timeout_s=0.3)
        assert one(outputs, ErrorOutput).name == "TimeoutError"
        assert (end(outputs).status, end(outputs).session_lost) == ("interrupted", False)
        assert end(await run(session, PRINTS)).status == "ok"

    async def test_an_interrupt_stops_the_code_and_keeps_the_session(self, session: Session) -> None:
        outputs: list[Output] = []
        async for output in session.execute(LOOPS, step_id="step", timeout_s=HANG_S):
            outputs.append(output)
            if isinstance(output, TextOutput):
                await session.interrupt()
        assert one(outputs, ErrorOutput).name == "KeyboardInterrupt"
        assert (end(outputs).status, end(outputs).session_lost) == ("interrupted", False)
        assert end(await run(session, PRINTS)).status == "ok"

    async def test_an_interrupt_without_an_execution_does_nothing(self, session: Session) -> None:
        await session.interrupt()
        assert end(await run(session, PRINTS)).status == "ok"

    async def test_closing_the_outputs_early_stops_the_code(self, session: Session) -> None:
        async with aclosing(session.execute(LOOPS, step_id="step", timeout_s=HANG_S)) as outputs:
            async for output in outputs:
                assert isinstance(output, TextOutput)
                break
        assert end(await run(session, PRINTS)).status == "ok"

    async def test_cancelling_the_reader_stops_the_code(self, session: Session) -> None:
        started = asyncio.Event()

        async def read() -> None:
            async for _ in session.execute(LOOPS, step_id="step", timeout_s=HANG_S):
                started.set()

        reader = asyncio.create_task(read())
        async with asyncio.timeout(HANG_S):
            await started.wait()
            reader.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reader
        assert end(await run(session, PRINTS)).status == "ok"

    async def test_executions_of_a_session_follow_each_other(self, session: Session) -> None:
        first, second = await asyncio.gather(run(session, PRINTS), run(session, PRINTS))
        assert text(first) == text(second) == "one\n二\n"
        assert (await session.info()).executions == 2

    async def test_a_session_whose_process_ended_is_lost_and_says_so(self, session: Session) -> None:
        outputs = await run(session, EXITS)
        assert (end(outputs).status, end(outputs).session_lost) == ("exited", True)
        assert (await session.info()).lost
        (after,) = await run(session, PRINTS)
        assert isinstance(after, Done)
        assert (after.status, after.session_lost) == ("backend_lost", True)

    async def test_files_of_the_working_folder_are_listed_and_read(self, session: Session) -> None:
        assert await session.files() == ()
        await run(session, WRITES)
        assert await session.files() == (SessionFile(path="out.txt", size_bytes=9),)
        assert b"".join([chunk async for chunk in session.read("out.txt")]) == b"some text"

    @pytest.mark.parametrize("path", ["none.txt", "../out.txt", "/etc/passwd", "", "a/../out.txt"])
    async def test_a_path_that_is_no_file_of_the_session_is_not_found(self, session: Session, path: str) -> None:
        await run(session, WRITES)
        with pytest.raises(NotFound):
            _ = [chunk async for chunk in session.read(path)]

    @pytest.mark.parametrize(
        ("code", "verdict"),
        [
            ("x = 1", "complete"),
            ("for i in range(3):\n    print(i)", "complete"),
            ("await nothing()", "complete"),
            ("for i in range(3):", "incomplete"),
            ("x = (1,", "incomplete"),
            ("x = = 1", "invalid"),
        ],
    )
    async def test_code_is_checked_for_being_a_whole_cell(self, session: Session, code: str, verdict: str) -> None:
        assert await session.check(code) == verdict

    async def test_a_released_session_is_over_and_release_may_be_repeated(self, session: Session) -> None:
        await run(session, WRITES)
        await session.release()
        await session.release()
        assert (await session.info()).lost
        assert end(await run(session, PRINTS)).session_lost
        with pytest.raises(NotFound):
            _ = [chunk async for chunk in session.read("out.txt")]

    async def test_sessions_know_whose_they_are(self, sandbox: Sandbox) -> None:
        scope = LeaseScope(run_id="r1", scope="task-2")
        session = await sandbox.acquire(scope)
        other = await sandbox.acquire(SCOPE)
        info = await session.info()
        assert info.scope == scope
        assert info.id != (await other.info()).id
        assert (info.executions, info.lost, info.level) == (0, False, sandbox.level())
        assert info.age_s >= 0
        assert sandbox.stats().leased == 2
        await session.release()
        await other.release()
        assert sandbox.stats().leased == 0


class QueueConformance:
    """Needs two started sandboxes of one worker: the fixture `small`, whose queue waits as long as a slow machine
    needs, and `short_queue`, whose worker is ready and whose queue waits for a moment."""

    async def test_who_waits_too_long_for_a_sandbox_is_told_that_it_is_busy(self, short_queue: Sandbox) -> None:
        session = await short_queue.acquire(SCOPE)
        with pytest.raises(Busy):
            await short_queue.acquire(SCOPE)
        await session.release()

    async def test_a_released_sandbox_goes_to_who_waited_first(self, small: Sandbox) -> None:
        served: list[str] = []

        async def use(name: str) -> None:
            leased = await small.acquire(LeaseScope(run_id=name))
            served.append(name)
            await leased.release()

        session = await small.acquire(SCOPE)
        waiting = []
        for number, name in enumerate(("first", "second", "third"), start=1):
            waiting.append(asyncio.create_task(use(name)))
            await until(partial(_waiting, small, number))
        await session.release()
        async with asyncio.timeout(HANG_S):
            await asyncio.gather(*waiting)
        assert served == ["first", "second", "third"]

    async def test_a_parked_session_yields_to_who_waits(self, small: Sandbox) -> None:
        parked = await small.acquire(SCOPE)
        await parked.park()
        other = await small.acquire(SCOPE)
        assert not await parked.unpark()
        waiting = asyncio.create_task(small.acquire(SCOPE))
        await until(partial(_waiting, small, 1))
        await other.park()
        async with asyncio.timeout(HANG_S):
            last = await waiting
        assert not await other.unpark()
        await last.release()

    async def test_who_gives_up_waiting_leaves_the_queue(self, small: Sandbox) -> None:
        session = await small.acquire(SCOPE)
        waiting = asyncio.create_task(small.acquire(SCOPE))
        await until(partial(_waiting, small, 1))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert small.stats().waiting == 0
        await session.release()
        await (await small.acquire(SCOPE)).release()
