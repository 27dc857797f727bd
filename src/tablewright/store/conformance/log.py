"""Tests of stores of logs."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    ArtifactCreated,
    CodeDelta,
    Event,
    EventBody,
    OutputTable,
    OutputText,
    StepAnnounced,
    TextDelta,
    ThinkingDelta,
    UsageReported,
)
from tablewright.domain.message import Message, TextPart, ToolCallPart, TranscriptEntry
from tablewright.domain.table import Table
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, SYSTEM, T0, after, batch, begun, end_of, message, progress


class LogConformance:
    """Events in order without gaps, and transcripts with them."""

    async def test_texts_are_kept_as_they_were_written(self, store: Store) -> None:
        await begun(store)
        texts = ("", ' "quoted" \\ \\u0000 ', "\x00\x1f\x7f\u2028\n\r\t", "数字 😀", "[1, null]", "x" * 5_000)
        bodies = [TextDelta(text=text, step_id=text[:8]) for text in texts]
        await asyncio.gather(*(store.log.append(ANN, batch(body)) for body in bodies))
        kept = await store.log.events(ANN, "r-1", after=1)
        assert [event.body for event in kept] == bodies

    async def test_events_come_back_as_they_were_put_and_numbered_without_gaps(self, store: Store) -> None:
        await begun(store)
        bodies: tuple[EventBody, ...] = (
            OutputText(text="长度 3\n\t\u0000\u2028", step_id="s-1", cut_chars=7),
            ArtifactCreated(artifact=ArtifactRef(id="f-1", name="图.png", mime="image/png", size_bytes=9)),
            UsageReported(model="m", input_tokens=10, output_tokens=2, task_id="t", parent_id="p"),
        )
        assert await store.log.append(ANN, batch(*bodies, at=after(0.000001))) == 4
        found = await store.log.events(ANN, "r-1", after=1)
        assert found == tuple(
            Event(run_id="r-1", seq=seq, at=after(0.000001), body=body) for seq, body in enumerate(bodies, start=2)
        )

    async def test_what_json_cannot_hold_is_replaced_and_never_refused(self, store: Store) -> None:
        await begun(store)
        table = Table(columns=("v",), rows=((math.nan,), (math.inf,), (1.5,)), total_rows=3)
        await store.log.append(ANN, batch(OutputTable(table=table), OutputText(text="broken \ud83d half")))
        shown, text = (event.body for event in await store.log.events(ANN, "r-1", after=1))
        assert isinstance(shown, OutputTable)
        assert shown.table.rows == ((None,), (None,), (1.5,))
        assert isinstance(text, OutputText)
        assert text.text == "broken ? half"

    async def test_any_part_of_the_log_can_be_read(self, store: Store) -> None:
        await begun(store)
        await store.log.append(ANN, batch(*progress(20)))
        read = [event.seq for event in await store.log.events(ANN, "r-1", after=5, limit=4)]
        assert read == [6, 7, 8, 9]
        assert [event.seq for event in await store.log.events(ANN, "r-1", after=19)] == [20, 21]
        assert await store.log.events(ANN, "r-1", after=21) == ()
        assert await store.log.events(ANN, "r-1", after=99) == ()

    async def test_events_can_be_chosen_by_type(self, store: Store) -> None:
        await begun(store)
        usage = UsageReported(model="m", input_tokens=1, output_tokens=1)
        await store.log.append(ANN, batch(*progress(2), usage, OutputText(text="x"), usage))
        chosen = await store.log.events(ANN, "r-1", types=("usage.reported", "run.started"))
        assert [event.seq for event in chosen] == [1, 4, 6]
        last = await store.log.events(ANN, "r-1", after=4, limit=1, types=("usage.reported",))
        assert [event.seq for event in last] == [6]

    async def test_writers_at_the_same_time_leave_no_gap_and_no_double(self, store: Store) -> None:
        await begun(store)
        last = await asyncio.gather(*(store.log.append(ANN, batch(*progress(3, 3 * n))) for n in range(8)))
        assert sorted(last) == list(range(4, 28, 3))
        events = await store.log.events(ANN, "r-1")
        assert [event.seq for event in events] == list(range(1, 26))
        written = [events[start : start + 3] for start in range(1, 25, 3)]
        assert all([event.body for event in group] in [list(progress(3, 3 * n)) for n in range(8)] for group in written)

    async def test_long_after_the_end_neighbouring_deltas_become_one_event_that_says_from_where(
        self, store: Store
    ) -> None:
        await begun(store)
        words = [TextDelta(text=f"{number} 数 ") for number in range(3)]
        code = (
            CodeDelta(text="x", step_id="s-1"),
            CodeDelta(text="=1", step_id="s-1"),
            CodeDelta(text="y", step_id="s-2"),
        )
        step = StepAnnounced(name="S", step_id="s-1")
        await store.log.append(ANN, batch(*words, step, *code, TextDelta(text="alone"), at=after(5)))
        await store.log.append(ANN, end_of(at=after(5)))
        assert await store.log.compact(SYSTEM, before=after(5)) == 0
        assert len(await store.log.events(ANN, "r-1")) == 10
        assert await store.log.compact(SYSTEM, before=after(10_000)) == 1
        assert await store.log.compact(SYSTEM, before=after(10_000)) == 0
        events = await store.log.events(ANN, "r-1")
        assert [(event.from_seq, event.seq) for event in events] == [
            (None, 1), (2, 4), (None, 5), (6, 7), (None, 8), (None, 9), (None, 10),
        ]  # fmt: skip
        assert events[1].body == TextDelta(text="0 数 1 数 2 数 ")
        assert events[3].body == CodeDelta(text="x=1", step_id="s-1")
        assert (await store.runs.get(ANN, "r-1")).last_seq == 10
        assert [event.seq for event in await store.log.events(ANN, "r-1", after=4, limit=2)] == [5, 7]
        await store.conversations.remove(ANN, "c-1")

    async def test_a_run_that_goes_on_is_left_as_it_is(self, store: Store) -> None:
        await begun(store)
        await store.log.append(ANN, batch(TextDelta(text="a"), TextDelta(text="b")))
        assert await store.log.compact(SYSTEM, before=after(10_000)) == 0
        assert len(await store.log.events(ANN, "r-1")) == 3

    async def test_however_much_was_written_no_joined_event_is_large(self, store: Store) -> None:
        await begun(store)
        await store.log.append(ANN, batch(*[ThinkingDelta(text="x" * 10_000)] * 7))
        await store.log.append(ANN, end_of())
        await store.log.compact(SYSTEM, before=after(10_000))
        events = (await store.log.events(ANN, "r-1"))[1:-1]
        assert [(event.from_seq, event.seq) for event in events] == [(2, 3), (4, 5), (6, 7), (None, 8)]

    async def test_a_transcript_comes_back_in_order_and_by_scope(self, store: Store) -> None:
        await begun(store)
        call = ToolCallPart(call_id="1", name="run", arguments={"代码": [1, None]}, provider_state={"sig": "x"})
        said = Message(role="assistant", parts=(TextPart(text="好", origin="output"), call))
        asked = Message(role="user", parts=(TextPart(text="?", origin="user"),))
        for scope, entry in (("main", asked), ("worker", asked), ("main", said)):
            await store.log.append(ANN, replace(batch(), transcript=(TranscriptEntry(message=entry, scope=scope),)))
        assert await store.log.transcript(ANN, "r-1") == (asked, said)
        assert await store.log.transcript(ANN, "r-1", "worker") == (asked,)
        assert await store.log.transcript(ANN, "r-1", "none") == ()

    async def test_a_batch_that_cannot_be_written_whole_is_not_written_at_all(self, store: Store) -> None:
        await begun(store)
        entry = TranscriptEntry(message=Message(role="user", parts=(TextPart(text="?", origin="user"),)))
        refused_at = T0.replace(tzinfo=None)
        broken = replace(batch(*progress(2)), transcript=(entry,), messages=(message("m-2", "x", at=refused_at),))
        try:
            await store.log.append(ANN, broken)
        except TypeError:
            pass
        else:
            raise AssertionError("a time without its zone was taken")
        assert [event.seq for event in await store.log.events(ANN, "r-1")] == [1]
        assert await store.log.transcript(ANN, "r-1") == ()
        assert (await store.runs.get(ANN, "r-1")).last_seq == 1
