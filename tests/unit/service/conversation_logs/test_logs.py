"""Log files are kept up with the store, are made whole after a crash, and go with their conversation."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.patience import found

from tablewright.agent.structured.transcript import call_scope
from tablewright.domain.events import EventBody, RoundAnswered, RunFinished, UsageReported
from tablewright.domain.ids import SystemClock
from tablewright.domain.message import Message, TextPart, TranscriptEntry
from tablewright.domain.run import Run
from tablewright.domain.structured import StructuredAnswer
from tablewright.service.conversation_logs.folder import LogFolder
from tablewright.service.conversation_logs.logs import AGENT, ConversationLogs
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, SYSTEM, begun
from tablewright.store.conformance.examples import run as example
from tablewright.store.memory import MemoryStore
from tablewright.store.run_store import Batch, RunEnd, Stamped

REPORT = StructuredAnswer(task_analysis="a", execution_plan="R1", current_round=1, report="done")
USED = UsageReported(model="m", input_tokens=9, output_tokens=2)


def entry(role: str, words: str) -> TranscriptEntry:
    message = Message(role=role, parts=(TextPart(text=words, origin="system"),))  # type: ignore[arg-type]
    return TranscriptEntry(message=message, scope=call_scope(1, 1))


async def written(store: Store, *bodies: EventBody, run_id: str = "r-1", end: bool = False) -> Batch:
    """Write what a round writes, as the bus does; return the batch."""
    now = datetime.now(UTC)
    batch = Batch(
        run_id=run_id,
        attempt=1,
        events=tuple(Stamped(at=now, body=body) for body in bodies),
        transcript=() if end else (entry("user", "q"), entry("assistant", "{}")),
        end=RunEnd(outcome="completed", finished_at=now) if end else None,
    )
    await store.log.append(ANN, batch)
    return batch


async def structured(store: Store, run_id: str = "r-1", conversation_id: str = "c-1") -> Run:
    return await begun(store, replace(example(run_id, conversation_id=conversation_id), agent=AGENT))


def logs(store: Store, folder: Path, kept_bytes: int = 10**9) -> ConversationLogs:
    return ConversationLogs(store, LogFolder(folder, kept_bytes=kept_bytes), SystemClock(), SYSTEM)


def logs_in(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"))


def types_in(path: Path) -> list[str]:
    return [json.loads(line)["type"] for line in path.read_text("utf-8").splitlines()]


async def test_a_log_grows_with_its_run(tmp_path: Path) -> None:
    store = MemoryStore()
    kept = logs(store, tmp_path / "logs")
    await structured(store)
    await kept.open_up()
    kept.observe(ANN, await written(store, USED, RoundAnswered(answer=REPORT)))

    async def log() -> Path | None:
        return next(iter(logs_in(tmp_path / "logs")), None)

    path = await found(log)
    assert types_in(path) == ["round_start", "ModelInput", "ModelOutput"]
    kept.observe(ANN, await written(store, RunFinished(outcome="completed"), end=True))
    await kept.close()
    assert types_in(path) == ["round_start", "ModelInput", "ModelOutput", "round_end"]
    assert path.name == "conversation_c-1_20260301T123015123Z.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("left", ["nothing", "half a line", "an old log", "a log from before the end"])
async def test_what_a_killed_process_left_is_made_whole_at_the_next_start(tmp_path: Path, left: str) -> None:
    store = MemoryStore()
    run = await structured(store)
    path = LogFolder(tmp_path).path_of(run)
    if left != "nothing":
        path.write_text('{"type": "round_st' if left == "half a line" else '{"type": "round_start"}\n', "utf-8")

        if left == "an old log":
            os.utime(path, (0, 0))
        else:
            later = datetime.now(UTC).timestamp() + 60
            os.utime(path, (later, later))  # written after the end, of what was read before it
    await written(store, USED, RoundAnswered(answer=REPORT))
    await written(store, RunFinished(outcome="completed"), end=True)
    kept = logs(store, tmp_path)
    await kept.open_up()
    whole = ["round_start", "ModelInput", "ModelOutput", "round_end"]
    assert not LogFolder(tmp_path).complete(await store.runs.get(ANN, run.id))

    async def mended() -> bool | None:
        return (path.exists() and "round_end" in path.read_text("utf-8")) or None

    await found(mended)
    await kept.close()
    assert types_in(path) == whole


async def test_runs_of_other_agents_have_no_log(tmp_path: Path) -> None:
    store = MemoryStore()
    await begun(store)
    kept = logs(store, tmp_path / "logs")
    kept.observe(ANN, await written(store, RunFinished(outcome="completed"), end=True))
    await kept.close()
    assert not (tmp_path / "logs").exists()


async def test_the_logs_of_a_conversation_go_with_it(tmp_path: Path) -> None:
    store = MemoryStore()
    kept = logs(store, tmp_path)
    for number in (1, 2):
        await structured(store, f"r-{number}", f"c-{number}")
        await written(store, RoundAnswered(answer=REPORT), run_id=f"r-{number}")
        await kept.write(ANN, f"r-{number}")
    await kept.remove("c-1")
    assert [path.name.split("_")[1] for path in logs_in(tmp_path)] == ["c-2"]


async def test_the_oldest_logs_make_room(tmp_path: Path) -> None:
    store = MemoryStore()
    kept = logs(store, tmp_path, kept_bytes=1)
    for number in (1, 2):
        await structured(store, f"r-{number}", f"c-{number}")
        await written(store, RoundAnswered(answer=REPORT), run_id=f"r-{number}")
        await kept.write(ANN, f"r-{number}")
    assert len(logs_in(tmp_path)) == 2
    await written(store, RunFinished(outcome="completed"), run_id="r-2", end=True)
    await kept.write(ANN, "r-2")
    assert [path.name.split("_")[1] for path in logs_in(tmp_path)] == ["c-2"]


async def test_a_run_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    store = MemoryStore()
    await structured(store)
    kept = logs(store, tmp_path / "logs")
    kept.observe(ANN, await written(store, RoundAnswered(answer=REPORT)))
    await store.conversations.remove(ANN, "c-1")
    await kept.close()
    assert not (tmp_path / "logs").exists()


async def test_a_log_that_made_room_is_not_written_again_at_the_next_start(tmp_path: Path) -> None:
    store = MemoryStore()
    kept = logs(store, tmp_path, kept_bytes=1)
    for number in (1, 2, 3):
        await structured(store, f"r-{number}", f"c-{number}")
        await written(store, RoundAnswered(answer=REPORT), run_id=f"r-{number}")
        await written(store, RunFinished(outcome="completed"), run_id=f"r-{number}", end=True)
        await kept.write(ANN, f"r-{number}")
    assert stat.S_IMODE((tmp_path / "removed.json").stat().st_mode) == 0o600
    (last,) = logs_in(tmp_path)
    last.unlink()  # what was lost otherwise is written again
    again = logs(store, tmp_path)
    await again.open_up()

    async def mended() -> bool | None:
        return last.exists() or None

    await found(mended)
    await again.close()
    assert logs_in(tmp_path) == [last]
    await again.remove("c-1")
    assert "c-1" not in (tmp_path / "removed.json").read_text("utf-8")


async def test_a_log_that_is_being_written_is_written_to_its_end_before_the_process_closes(tmp_path: Path) -> None:
    store = MemoryStore()
    runs = [await structured(store, f"r-{number}", f"c-{number}") for number in range(8)]
    kept = logs(store, tmp_path)
    await kept.open_up()
    for run in runs:
        kept.observe(ANN, await written(store, USED, RoundAnswered(answer=REPORT), run_id=run.id))

    async def begun_to_write() -> bool | None:
        return bool(logs_in(tmp_path)) or None

    await found(begun_to_write)
    await kept.close()
    assert len(logs_in(tmp_path)) == len(runs)
    assert {Path(entry).suffix for entry in os.scandir(tmp_path)} == {".jsonl"}
