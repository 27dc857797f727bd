"""A report is shown while it is written, as it will read in the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.structured_bench import calls, report

from tablewright.agent.emission import Item
from tablewright.agent.structured.record import RunRecord
from tablewright.agent.structured.report_stream import CodeHeldBack, ReportStream
from tablewright.agent.structured.saved_code import CodeTaken, without_code
from tablewright.domain.events import TextDelta, TextFinished, WarningRaised
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.structured import StructuredAnswer
from tablewright.models.structured_reading import read_answer

AT = datetime(2026, 1, 2, tzinfo=UTC)
LINES = st.lists(
    st.sampled_from(
        ["```python", "```", "~~~Python", "~~~", "   ```python", "x = 1", "", "# Sales", " `a` ", "```sql", "  "]
    ),
    max_size=12,
)


def held_back() -> CodeHeldBack:
    return CodeHeldBack(taken=CodeTaken(run_id="r", at=AT, language="en"))


def shown_in_the_end(text: str) -> str:
    return without_code(text, run_id="r", at=AT, language="en").text


@given(LINES, st.integers(min_value=1, max_value=20))
def test_what_is_shown_is_always_how_the_report_begins_in_the_end(lines: list[str], size: int) -> None:
    text = "\n".join(lines)
    code, shown = held_back(), ""
    for at in range(0, len(text), size):
        shown += code.feed(text[at : at + size])
        assert shown_in_the_end(text).startswith(shown)


def _written_in(characters: int, size: int = 400) -> float:
    """How long a report of so many characters takes to be shown and read."""
    line = "Sales rose by 12 % in the north.\n" * 20 + "```python\nprint(1)\n```\n"
    words = (line * (characters // len(line) + 1))[:characters]
    answer, began = report(words), process_time()
    shown = Shown()
    write(shown.stream(), answer, size)
    assert isinstance(read_answer(answer, number=1), StructuredAnswer)
    return process_time() - began


def test_a_long_report_takes_as_much_longer_as_it_is() -> None:
    _written_in(20_000)
    assert _written_in(1_600_000) < 16 * 4 * max(_written_in(100_000), 0.01)


def test_words_are_shown_at_once_and_code_once_it_is_closed() -> None:
    code = held_back()
    assert code.feed("Sales ") == "Sales"
    assert code.feed("rose.\n\n```py") == " rose."
    assert code.feed("thon\nprint(1)\n") == ""
    assert code.feed("```\nSo").startswith("\n\n<!-- CODE_SAVED: code_20260102_")


@dataclass(slots=True)
class Shown:
    """What a run emits, with its record."""

    record: RunRecord = field(default_factory=RunRecord)
    items: list[Item] = field(default_factory=list[Item])

    def emit(self, item: Item) -> None:
        assert not isinstance(item, TranscriptEntry)
        self.record.take(item)
        self.items.append(item)

    def stream(self) -> ReportStream:
        return ReportStream(emit=self.emit, open_text=self.record.open_text, code=held_back)

    @property
    def texts(self) -> list[str]:
        """The finished texts, each checked against its pieces."""
        found, pieces = [], ""
        for item in self.items:
            if isinstance(item, TextDelta):
                pieces += item.text
            elif isinstance(item, TextFinished):
                assert item.text == pieces
                found.append(pieces)
                pieces = ""
        assert pieces == ""
        return found


def write(stream: ReportStream, answer: str, size: int = 7) -> None:
    stream.begin()
    for at in range(0, len(answer), size):
        stream.feed(answer[at : at + size])


@pytest.mark.requirement("structured-report-streamed")
def test_a_report_comes_in_pieces_and_once() -> None:
    shown = Shown()
    stream = shown.stream()
    write(stream, report("# Sales\n\nThey rose by 12 %."))
    assert len(shown.items) > 2
    stream.finish("# Sales\n\nThey rose by 12 %.")
    assert shown.texts == ["# Sales\n\nThey rose by 12 %."]


def test_an_answer_that_is_written_again_the_same_way_is_shown_once() -> None:
    shown = Shown()
    stream = shown.stream()
    write(stream, report("# Sales\n\nThey rose by 12 %.")[:-10])
    write(stream, report("# Sales\n\nThey rose by 12 %."))
    stream.finish("# Sales\n\nThey rose by 12 %.")
    assert shown.texts == ["# Sales\n\nThey rose by 12 %."]


def test_what_a_repaired_answer_leaves_out_is_finished_and_counts_no_more() -> None:
    shown = Shown()
    stream = shown.stream()
    write(stream, report("A long report that is cut")[:-10])
    write(stream, report("Short."))
    stream.finish("Short.")
    assert shown.texts[-1] == "Short."
    assert [item.code for item in shown.items if isinstance(item, WarningRaised)] == ["model_began_anew"]


def test_a_process_that_takes_the_run_over_ends_what_the_one_before_had_begun() -> None:
    shown = Shown()
    write(shown.stream(), report("Begun before the end")[:-10])
    stream = shown.stream()
    write(stream, report("Otherwise."))
    stream.finish("Otherwise.")
    assert shown.texts[-1] == "Otherwise."


def test_calls_show_nothing() -> None:
    shown = Shown()
    stream = shown.stream()
    write(stream, calls())
    stream.drop()
    assert shown.items == []
