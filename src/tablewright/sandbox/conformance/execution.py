"""How every sandbox executes real Python."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tablewright.sandbox.base import (
    SHARED_FOLDER,
    Done,
    ErrorOutput,
    Input,
    Limits,
    Sandbox,
    Session,
    TextOutput,
)
from tablewright.sandbox.conformance.examples import HANG_S, SCOPE, end, one, run, text


async def value(session: Session, code: str) -> str:
    """Return what a cell printed or its last value, checking that nothing failed."""
    outputs = await run(session, code)
    assert end(outputs).status == "ok", outputs
    return text(outputs)


class CellsConformance:
    """What a cell keeps, prints and finds."""

    async def test_names_persist_between_executions(self, session: Session) -> None:
        await run(session, "import math\nx = 41")
        assert await value(session, "x + math.floor(1.5)") == "42"

    async def test_what_ran_before_an_error_is_kept(self, session: Session) -> None:
        await run(session, "kept = 1\n1 / 0")
        assert await value(session, "kept") == "1"

    async def test_sessions_do_not_see_each_other(self, sandbox: Sandbox, session: Session) -> None:
        await run(session, "mine = 1\nopen('mine.txt', 'w').write('x')")
        other = await sandbox.acquire(SCOPE)
        assert one(await run(other, "mine"), ErrorOutput).name == "NameError"
        assert await value(other, "import os\nos.listdir()") == "['output']"
        await other.release()

    async def test_await_works_at_the_top_of_a_cell(self, session: Session) -> None:
        assert await value(session, "import asyncio\nawait asyncio.sleep(0.001, 'woken')") == "'woken'"

    async def test_threads_work(self, session: Session) -> None:
        code = (
            "import concurrent.futures as futures\n"
            "with futures.ThreadPoolExecutor(4) as pool:\n    print(sum(pool.map(abs, range(10))))"
        )
        assert await value(session, code) == "45\n"

    async def test_printed_text_comes_while_the_code_still_runs(self, session: Session) -> None:
        code = "import time\nprint('early')\nwhile True:\n    time.sleep(0.05)"
        async with asyncio.timeout(HANG_S):
            async for output in session.execute(code, step_id="s", timeout_s=HANG_S):
                if isinstance(output, TextOutput) and output.stream == "stdout":
                    assert output.text == "early\n"
                    await session.interrupt()
                    break

    async def test_text_beyond_the_limit_is_cut_and_counted(self, sandbox: Sandbox) -> None:
        session = await sandbox.acquire(SCOPE, limits=Limits(text_chars=1000))
        outputs = await run(session, "for i in range(300):\n    print('x' * 9)")
        assert len(text(outputs)) == 1000
        assert end(outputs).cut_chars == 2000
        await session.release()

    async def test_standard_error_is_told_apart(self, session: Session) -> None:
        outputs = await run(
            session, "import sys\nprint('a')\nprint('b', file=sys.stderr)\nsys.stdout.buffer.write(b'c')\n;"
        )
        streams = [(output.stream, output.text) for output in outputs if isinstance(output, TextOutput)]
        assert streams[:2] == [("stdout", "a\n"), ("stderr", "b\n")]

    async def test_what_c_code_prints_is_not_lost(self, session: Session) -> None:
        outputs = await run(session, "import os\nos.write(1, b'from C')\n;")
        assert "from C" in text(outputs)

    async def test_inputs_are_there_under_their_names_and_nothing_else(self, sandbox: Sandbox, tmp_path: Path) -> None:
        (tmp_path / "stored").write_text("a,b\n1,2\n")
        inputs = [Input(path=tmp_path / "stored", name=name) for name in ("销售.csv", "downloads/x.csv")]
        session = await sandbox.acquire(SCOPE, inputs)
        listing = f"import pathlib\nsorted(p.name for p in pathlib.Path('{SHARED_FOLDER}').rglob('*.csv'))"
        assert await value(session, listing) == "['x.csv', '销售.csv']"
        assert await value(session, f"print(open(f'{SHARED_FOLDER}/销售.csv').read(), end='')") == "a,b\n1,2\n"
        await session.release()
        assert (tmp_path / "stored").read_text() == "a,b\n1,2\n"

    @pytest.mark.parametrize("act", ["open('{0}/a.csv', 'w')", "os.unlink('{0}/a.csv')", "open('{0}/new', 'w')"])
    async def test_inputs_cannot_be_written(self, sandbox: Sandbox, tmp_path: Path, act: str) -> None:
        (tmp_path / "a.csv").write_text("x")
        session = await sandbox.acquire(SCOPE, [Input(path=tmp_path / "a.csv", name="a.csv")])
        outputs = await run(session, f"import os\n{act.format(SHARED_FOLDER)}")
        assert one(outputs, ErrorOutput).name in ("OSError", "PermissionError")
        assert (tmp_path / "a.csv").read_text() == "x"
        await session.release()

    async def test_the_working_folder_is_called_by_the_session(self, session: Session) -> None:
        name = (await session.info()).id
        code = (
            f"import os\nos.makedirs('/data/sessions/{name}/output', exist_ok=True)\nopen('output/a.txt', "
            f"'w').close()\nprint(os.getcwd())"
        )
        assert await value(session, code) == f"/data/sessions/{name}\n"
        assert [file.path for file in await session.files()] == ["output/a.txt"]


class EndingsConformance:
    """How a cell may end, and the state that it leaves."""

    async def test_running_out_of_memory_is_reported_and_survived(self, session: Session) -> None:
        outputs = await run(session, "import numpy\nkept = 5\nbig = numpy.ones(10**12)")
        assert one(outputs, ErrorOutput).name.endswith("MemoryError")
        assert (end(outputs).status, end(outputs).session_lost) == ("oom", False)
        assert await value(session, "kept") == "5"

    async def test_code_that_will_not_yield_is_killed(self, session: Session) -> None:
        code = "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass"
        outputs = await run(session, code, timeout_s=0.3)
        assert (end(outputs).status, end(outputs).session_lost) == ("timeout_killed", True)
        assert one(outputs, ErrorOutput).name == "TimeoutError"

    async def test_a_cell_that_ignored_the_interrupt_does_not_keep_later_ones_from_yielding(
        self, session: Session
    ) -> None:
        code = (
            "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.pthread_sigmask(signal.SIG_BLOCK, [2])"
        )
        assert end(await run(session, code)).status == "ok"
        outputs = await run(session, "while True:\n    pass", timeout_s=0.3)
        assert (end(outputs).status, end(outputs).session_lost) == ("interrupted", False)

    async def test_a_crash_is_named(self, session: Session) -> None:
        outputs = await run(session, "import faulthandler\nfaulthandler._read_null()")
        assert (end(outputs).status, end(outputs).session_lost) == ("crashed", True)
        assert "SIGSEGV" in one(outputs, ErrorOutput).message

    async def test_leaving_python_is_an_error_that_keeps_the_session(self, session: Session) -> None:
        assert one(await run(session, "import sys\nsys.exit(2)"), ErrorOutput).name == "SystemExit"
        assert end(await run(session, "exit()")).status == "ok"
        assert await value(session, "1") == "1"

    async def test_threads_left_behind_do_not_run_between_executions(self, session: Session) -> None:
        code = (
            "import threading, time\n"
            "def spin():\n    while True:\n        pass\n"
            "threading.Thread(target=spin, daemon=True).start()"
        )
        assert end(await run(session, code)).usage.threads >= 2
        first, second = [float(await value(session, "time.process_time()")) for _ in range(2)]
        await asyncio.sleep(4.0)
        third = float(await value(session, "time.process_time()"))
        assert third - second < 2 * (second - first) + 0.4  # it runs only while the session executes something

    async def test_many_interrupts_never_break_a_session(self, session: Session) -> None:
        for _ in range(30):
            async for output in session.execute("for i in range(40000):\n    print(i)", step_id="s", timeout_s=HANG_S):
                await session.interrupt()
                if isinstance(output, Done):
                    assert not output.session_lost
        assert await value(session, "1 + 1") == "2"


class ExecutionConformance(CellsConformance, EndingsConformance):
    """Needs the fixtures `sandbox` and `session`, and pytest's `tmp_path`."""
