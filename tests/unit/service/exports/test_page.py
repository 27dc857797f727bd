"""A run as an HTML document."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest

from tablewright.domain.answer import Answer, NumberSource
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.chart import Chart
from tablewright.domain.events import (
    CodeFinished,
    Event,
    EventBody,
    OutputChart,
    OutputError,
    OutputImage,
    OutputTable,
    OutputText,
    StepAnnounced,
    StepFinished,
    StepStarted,
)
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.service.exports.page import document, shown_steps
from tablewright.store.conformance.examples import run

EVIL = "<script>alert('x')</script>\"'><img src=x onerror=y>&"
AT = datetime(2026, 5, 1, tzinfo=UTC)


class Tags(HTMLParser):
    """Collects the tags and attributes of a document, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def events(*bodies: EventBody) -> list[Event]:
    return [Event(run_id="r-1", seq=seq, at=AT, body=body) for seq, body in enumerate(bodies, 1)]


def exported(language: Language = "en", words: str = EVIL) -> str:
    image = ArtifactRef(id="f-9", name=words, mime="image/png", size_bytes=3)
    table = Table(columns=(words, "n"), rows=((words, 1234.5), (None, 2)), total_rows=5, title=words)
    steps = shown_steps(
        events(
            StepAnnounced(step_id="s1", name=words),
            CodeFinished(step_id="s1", code=words),
            StepStarted(step_id="s1"),
            OutputError(step_id="s1", name=words, message=words, traceback=words),
            StepFinished(step_id="s1", status="error", elapsed_s=1),
            StepAnnounced(step_id="s2", name="two"),
            StepAnnounced(step_id="s3", name="never ran"),
            CodeFinished(step_id="s2", code="print(7)"),
            StepStarted(step_id="s2"),
            OutputText(step_id="s2", text=f"7 {words}"),
            OutputTable(step_id="s2", table=table),
            OutputChart(
                step_id="s2", chart=Chart(kind="bar", x=(words,), y=(1,), series=(words,), labels={"x": words})
            ),
            OutputImage(step_id="s2", image=image),
            StepFinished(step_id="s2", status="ok", elapsed_s=1),
        )
    )
    sources = (NumberSource(value=7, start=6, end=7, step_id="s2"), NumberSource(value=8, start=9, end=10))
    answer = Answer(text=f"It is 7, 8 {words}", outcome="completed", table=table, sources=sources)
    made = replace(run(), question=words, language=language, answer=answer)
    return document(made, steps, [words], {"f-9": b"png"})


@pytest.mark.requirement("export-html-is-safe-and-whole")
def test_nothing_from_the_run_becomes_markup_and_nothing_runs_or_is_loaded() -> None:
    html = exported()
    read = Tags(html)
    assert {tag for tag, _ in read.tags}.isdisjoint({"script", "iframe", "link", "object", "form", "base"})
    assert not [attrs for _, attrs in read.tags if any(name.startswith("on") for name in attrs)]
    links = [attrs.get("href") or attrs.get("src") for _, attrs in read.tags if attrs.keys() & {"href", "src"}]
    assert {link for link in links if link} == {"#step-2", "data:image/png;base64,cG5n"}
    assert "@import" not in html
    assert "url(" not in html
    (policy,) = [attrs["content"] for _, attrs in read.tags if attrs.get("http-equiv") == "content-security-policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy
    assert read.words.count(EVIL) >= 8


def test_question_answer_steps_outputs_and_sources_are_shown() -> None:
    html = exported(words="Umsatz")
    read = Tags(html)
    for words in ("Umsatz", "It is ", "print(7)", "1,234.5", "2 of 5 rows", "did not end well"):
        assert words in read.words
    assert "never ran" not in read.words
    assert [attrs["href"] for tag, attrs in read.tags if tag == "a"] == ["#step-2"]
    assert re.search(r"<mark[^>]*>8</mark>", html)
    assert [attrs for tag, attrs in read.tags if tag == "details"] == [{}, {}]
    assert [attrs["id"] for tag, attrs in read.tags if tag == "section" and attrs] == ["step-1", "step-2"]
    assert "prefers-color-scheme: dark" in html


def test_labels_are_in_the_language_of_the_run() -> None:
    html = exported("zh", words="销售额")
    assert '<html lang="zh">' in html
    for words in ("回答", "步骤", "代码", "未正常结束", "共 5 行，显示 2 行"):
        assert words in html
