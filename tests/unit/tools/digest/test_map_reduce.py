"""A text longer than a model's window is read piece by piece; what was noted keeps its place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.agent.react.digests import RepliesReader
from tablewright.domain.events import EventBody, ProgressReported, UsageReported, WarningRaised
from tablewright.errors import ModelError, ModelOverloaded
from tablewright.models.base import ModelRequest, UsageSeen
from tablewright.models.scripted import Fail, Reply, ScriptedModel
from tablewright.models.tokens import CalibratedEstimator
from tablewright.tools.digest.base import Digest, DigestBounds, PieceReader
from tablewright.tools.digest.by_model import ModelReader
from tablewright.tools.digest.conformance import FAULT, PieceReaderConformance
from tablewright.tools.digest.map_reduce import MapReduce, followed
from tablewright.tools.digest.memory import Materials, MemoryReader
from tablewright.tools.digest.words import written

TEXT = "".join(f"row {number}: {number * 7}\n" for number in range(3_000))
LOST = ModelOverloaded(model="m")


def echoed(order: str, materials: Materials) -> str | ModelError:
    return LOST if FAULT in order else f"{materials[0][0]}: {materials[0][1]}"


def answering(request: ModelRequest) -> Reply:
    task = request.task
    if FAULT in task.question:
        return Reply.of(Fail(error=LOST))
    name, words = task.materials[0]  # type: ignore[union-attr]
    return Reply.of(f"{name}: {words}", UsageSeen(input_tokens=9, output_tokens=3))


class TestMemoryReader(PieceReaderConformance):
    @pytest.fixture
    def reader(self) -> PieceReader:
        return MemoryReader(echoed)


class TestModelReader(PieceReaderConformance):
    @pytest.fixture
    def reader(self) -> PieceReader:
        return ModelReader(model=ScriptedModel(answering), language="en", emit=lambda _: None)


class TestRepliesReader(PieceReaderConformance):
    @pytest.fixture
    def reader(self) -> PieceReader:
        return RepliesReader(model=ScriptedModel(answering), language="en", emit=lambda _: None)


class Desk:
    """Texts that are digested, and what was told meanwhile."""

    def __init__(self, says: Callable[[str, Materials], str | ModelError], **bounds: float) -> None:
        self.reader: PieceReader = MemoryReader(says)
        self.told: list[EventBody] = []
        given = {"piece_tokens": 2_000, "digest_tokens": 2_000, **bounds}
        self.bounds = DigestBounds(**given)  # type: ignore[arg-type]

    async def digest(self, text: str = TEXT, question: str = "What stands in row 2999?") -> Digest:
        return await MapReduce(
            reader=self.reader,
            counter=CalibratedEstimator(),
            model="m",
            bounds=self.bounds,
            language="en",
            emit=self.told.append,
        ).of(text, question=question)


def found(_: str, materials: Materials) -> str:
    return "row 2999: 20993" if any("row 2999:" in words for _, words in materials) else "nothing"


async def test_every_piece_is_read_once_and_its_note_keeps_its_lines() -> None:
    desk = Desk(found)
    digest = await desk.digest()
    assert digest.pieces == len(digest.notes) > 5
    assert digest.notes[0].span.first_line == 1
    assert digest.notes[-1].span.last_line == 3_000
    assert digest.notes[-1].text == "row 2999: 20993"
    words = written(digest, "en")
    assert f"[lines {digest.notes[-1].span.first_line}–3000]\nrow 2999: 20993" in words
    progress = [event for event in desk.told if isinstance(event, ProgressReported)]
    assert progress[-1].fraction == 1.0
    assert progress[-1].message == f"{digest.pieces} of {digest.pieces} parts read"


async def test_a_piece_that_fails_is_told_and_loses_nothing_of_the_others() -> None:
    def says(_: str, materials: Materials) -> str | ModelError:
        return LOST if "row 1500:" in materials[0][1] else "read"

    digest = await Desk(says).digest()
    faults = [note for note in digest.notes if note.fault is not None]
    assert len(faults) == 1
    assert faults[0].span.first_line <= 1_501 <= faults[0].span.last_line
    assert f"lines {faults[0].span.first_line}–{faults[0].span.last_line} could not be read: " in written(digest, "en")
    assert written(digest, "en").count("\nread") == digest.pieces - 1


async def test_notes_that_are_too_long_together_are_put_together_until_they_fit() -> None:
    orders: list[str] = []

    def says(order: str, materials: Materials) -> str:
        orders.append(order)
        return "short" if "neighbouring places" in order else materials[0][1][:1_500]

    digest = await Desk(says, digest_tokens=300).digest()
    joined = [order for order in orders if "neighbouring places" in order]
    assert joined
    assert len(digest.notes) < digest.pieces
    assert digest.notes[0].span.first_line == 1
    assert digest.notes[-1].span.last_line == 3_000
    assert not digest.cut


async def test_a_group_of_notes_that_fails_stays_as_it_was_and_is_cut_to_fit() -> None:
    def says(order: str, materials: Materials) -> str | ModelError:
        return LOST if "neighbouring places" in order else materials[0][1][:1_500]

    digest = await Desk(says, digest_tokens=600).digest()
    assert digest.cut
    assert len(digest.notes) == digest.pieces
    assert CalibratedEstimator().count_text(written(digest, "en"), model="m").tokens < 2_000


async def test_no_more_pieces_are_read_than_allowed_and_that_is_told() -> None:
    desk = Desk(found, most_pieces=4)
    digest = await desk.digest()
    assert len(digest.notes) == 4
    assert len(digest.left_out) == digest.pieces - 4
    assert any("20993" in note.text for note in digest.notes)
    warning = next(event for event in desk.told if isinstance(event, WarningRaised))
    assert warning.code == "document_parts_left_out"
    assert warning.params == {"read": 4, "count": digest.pieces}
    assert "Not read, as the text is too long: lines " in written(digest, "en")


AT_ONCE = 3


class Hanging:
    """Reads the first piece, and hangs on all others; `most` is how many it read at the same time. Once it hangs on as
    many as are read at once, time passes."""

    def __init__(self) -> None:
        self.now = self.most = self.stopped = 0
        self.passed_s = 0.0
        self.hangs = asyncio.Event()

    async def read(self, order: str, materials: Sequence[tuple[str, str]]) -> str:
        if materials[0][0].startswith("[lines 1–"):
            return "first"
        self.now += 1
        self.most = max(self.most, self.now)
        self.hangs.set()
        if self.now == AT_ONCE:
            self.passed_s = 101.0
        try:
            await asyncio.Event().wait()
        finally:
            self.now -= 1
            self.stopped += 1
        return order


async def test_what_is_not_read_in_time_is_told_and_stopped_and_few_are_read_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk, reader = Desk(found, limit_s=100.0, at_once=AT_ONCE), Hanging()
    desk.reader = reader
    loop = asyncio.get_running_loop()
    clock = loop.time
    monkeypatch.setattr(loop, "time", lambda: clock() + reader.passed_s)
    digest = await desk.digest()
    assert [note.text for note in digest.notes if note.fault is None] == ["first"]
    assert "the time of 100 seconds was over" in (digest.notes[-1].fault or "")
    assert reader.most == reader.stopped == AT_ONCE
    assert reader.now == 0


async def test_closing_stops_the_reading() -> None:
    desk, reader = Desk(found), Hanging()
    desk.reader = reader
    items = followed(lambda _: desk.digest())
    waiting = asyncio.ensure_future(anext(items))
    await asyncio.wait_for(reader.hangs.wait(), PATIENCE_S)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await items.aclose()
    assert reader.now == 0


async def test_used_tokens_are_told_of_each_call() -> None:
    desk = Desk(found)
    model = ScriptedModel(answering)
    desk.reader = ModelReader(model=model, language="en", emit=desk.told.append)
    await desk.digest(TEXT[:20_000])
    assert len([event for event in desk.told if isinstance(event, UsageReported)]) == len(model.requests) > 1
