"""A report recommends questions that are read for sure when they are asked."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.unit.analyst.reporting.rounds import task

from tablewright.analyst.base import NotUnderstood, Understanding, Understood, Unsure
from tablewright.analyst.plan import Part, Plan, Source
from tablewright.analyst.reporting import recommending
from tablewright.analyst.reporting.recommending import MOST, answerable
from tablewright.domain.task import AnalyzeTable

SURE = Understood(plan=Plan(parts=(Part(relation=Source(dataset_id="t1")),)))
UNSURE = Unsure(readings=())
UNREAD = NotUnderstood(understood=(), reason="analyst.nothing", params={}, suggestions=())


def said(*questions: str) -> str:
    return json.dumps({"action": {"type": "complete", "content": "# R", "recommended_questions": list(questions)}})


async def kept(readings: dict[str, Understanding]) -> list[str] | None:
    async def read(asked: AnalyzeTable) -> Understanding:
        return readings[asked.question]

    action = json.loads(await answerable(said(*readings), task(), read))["action"]
    assert action["content"] == "# R"
    found: list[str] | None = action.get("recommended_questions")
    return found


@pytest.mark.requirement("report-questions-tried")
async def test_what_would_be_asked_back_is_not_recommended() -> None:
    assert await kept({"a?": SURE, "b?": UNSURE, "c?": UNREAD, "d?": SURE}) == ["a?", "d?"]
    assert await kept({"b?": UNSURE}) is None


async def test_so_many_are_recommended_at_most() -> None:
    many: dict[str, Understanding] = {f"{place}?": SURE for place in range(MOST + 3)}
    assert await kept(many) == list(many)[:MOST]


async def test_what_is_not_read_in_time_is_recommended_as_it_was_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_: AnalyzeTable) -> Understanding:
        await asyncio.Event().wait()
        return SURE

    monkeypatch.setattr(recommending, "READ_S", 0.0)
    action = json.loads(await answerable(said("a?", "b?"), task(), never))["action"]
    assert action["recommended_questions"] == ["a?", "b?"]
