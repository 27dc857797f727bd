"""The steps that the numbers of an answer come from."""

from __future__ import annotations

from tablewright.domain.answer import Answer, NumberSource
from tablewright.domain.events import CodeFinished, EventBody, StepAnnounced, ToolStarted
from tablewright.service.exports.tracing import Traced, traced

TEXT = "East 12, West 34, South 56, `78`"
BODIES: tuple[EventBody, ...] = (
    ToolStarted(tool_call_id="look-1", name="run_python", arguments={"code": "print(9)"}),
    StepAnnounced(step_id="s1", name="Look"),
    CodeFinished(step_id="s1", code="print(9)"),
    ToolStarted(tool_call_id="web-1", name="web_search", arguments={"query": "prices"}),
    ToolStarted(tool_call_id="sql-1", name="query_database", arguments={"query": "select 34"}),
    StepAnnounced(step_id="s2", name="Totals"),
    CodeFinished(step_id="s2", code="print(12)"),
)


def answer(**steps: str | None) -> Answer:
    sources = [
        NumberSource(value=0, start=TEXT.index(words[1:]), end=TEXT.index(words[1:]) + 2, step_id=step)
        for words, step in steps.items()
    ]
    return Answer(text=TEXT, outcome="completed", sources=tuple(sources))


def test_numbers_lead_to_the_steps_in_the_order_of_the_run() -> None:
    found = traced(answer(n12="s2", n34="sql-1", n56=None, n78="s2"), BODIES)
    assert [(origin.number, origin.name, origin.language) for origin in found.origins] == [
        (2, "query_database", ""),
        (3, "Totals", "python"),
    ]
    assert [(TEXT[link.start : link.end], link.number) for link in found.links] == [("12", 3), ("34", 2)]


def test_a_call_and_its_step_are_one() -> None:
    found = traced(answer(n12="s1", n34="look-1"), BODIES)
    assert [(origin.number, origin.name) for origin in found.origins] == [(1, "Look")]
    assert [link.number for link in found.links] == [1, 1]


def test_without_sources_there_is_nothing() -> None:
    assert traced(answer(), BODIES) == Traced()
