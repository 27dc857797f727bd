"""A run is followed to its end, or to what it asks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import cast

import pytest

from tablewright.cli.clients.base import Client
from tablewright.cli.follower import PendingQuestion, asking_person, follow
from tablewright.cli.show.screens import NoScreen
from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    ArtifactCreated,
    Event,
    EventBody,
    QuestionAsked,
    RunFinished,
)
from tablewright.domain.run import RequestAnswer, RunFailure
from tablewright.errors import OwnerLost

ANSWER = Answer(text="done", outcome="completed")


class Told:
    """A client whose run tells `bodies`, those in a tuple for a child, and which keeps what it is answered."""

    def __init__(self, *bodies: EventBody | tuple[EventBody]) -> None:
        self._bodies = bodies
        self.answers: list[tuple[str, RequestAnswer]] = []

    async def follow(self, run_id: str) -> AsyncIterator[Event]:
        for seq, told in enumerate(self._bodies, 1):
            of, body = ("child", told[0]) if isinstance(told, tuple) else (run_id, told)
            yield Event(run_id=of, seq=seq, at=datetime(2026, 1, 1, tzinfo=UTC), body=body)

    async def answer(self, _run_id: str, request_id: str, answer: RequestAnswer) -> None:
        self.answers.append((request_id, answer))


def client(told: Told) -> Client:
    return cast(Client, told)


async def test_the_answer_and_the_end_are_returned() -> None:
    told = Told(AnswerCompleted(answer=ANSWER), RunFinished(outcome="completed", stopped_by="max_steps"))
    followed = await follow(client(told), "r", NoScreen())
    assert (followed.outcome, followed.answer, followed.stopped_by) == ("completed", ANSWER, "max_steps")


async def test_a_failure_is_returned() -> None:
    failure = RunFailure(code="steps_failed", params={})
    followed = await follow(client(Told(RunFinished(outcome="failed", failure=failure))), "r", NoScreen())
    assert (followed.outcome, followed.failure, followed.answer) == ("failed", failure, None)


async def test_the_files_of_a_run_that_was_stopped_are_returned_and_else_those_of_its_answer() -> None:
    created = ArtifactCreated(artifact=ArtifactRef(id="f", name="a.csv", mime="text/csv", size_bytes=1))
    stopped = await follow(client(Told(created, RunFinished(outcome="cancelled"))), "r", NoScreen())
    assert stopped.files == (created.artifact,)
    told = Told(created, AnswerCompleted(answer=ANSWER), RunFinished(outcome="completed"))
    assert (await follow(client(told), "r", NoScreen())).files == ANSWER.files == ()
    asking = Told(created, ApprovalRequested(request_id="q", prompt="May I?"))
    assert (await follow(client(asking), "r", NoScreen())).files == ()


async def test_the_end_and_the_answer_of_a_child_are_not_those_of_the_run() -> None:
    part = Answer(text="a part", outcome="completed")
    told = Told(
        (QuestionAsked(request_id="q", prompt="Which year?"),),
        (AnswerCompleted(answer=part),),
        (RunFinished(outcome="failed"),),
        AnswerCompleted(answer=ANSWER),
        RunFinished(outcome="completed"),
    )
    asked: list[str] = []

    async def ask(question: PendingQuestion) -> RequestAnswer:
        asked.append(question.body.prompt)
        return RequestAnswer(decision="answer", text="2025")

    followed = await follow(client(told), "r", NoScreen(), ask)
    assert (followed.outcome, followed.answer) == ("completed", ANSWER)
    assert asked == ["Which year?"]


async def test_what_is_asked_ends_it_when_nobody_is_there() -> None:
    told = Told(ApprovalRequested(request_id="q", prompt="May I?"), RunFinished(outcome="completed"))
    followed = await follow(client(told), "r", NoScreen())
    assert followed.waiting == "May I?"
    assert told.answers == []


async def test_what_is_asked_is_left_to_the_policy_when_the_run_is_not_attended() -> None:
    told = Told(ApprovalRequested(request_id="q", prompt="May I?"), RunFinished(outcome="completed"))
    followed = await follow(client(told), "r", NoScreen(), asking_person("en", lambda _prompt: "y"), attended=False)
    assert (followed.outcome, followed.waiting) == ("completed", None)
    assert told.answers == []


@pytest.mark.parametrize(("said", "decision"), [("y", "approve"), ("是", "approve"), ("", "reject"), ("no", "reject")])
async def test_a_person_approves_or_rejects(said: str, decision: str) -> None:
    told = Told(ApprovalRequested(request_id="q", prompt="May\x1b[2J I?"), RunFinished(outcome="completed"))
    prompts: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return said

    followed = await follow(client(told), "r", NoScreen(), asking_person("en", read))
    assert followed.outcome == "completed"
    assert [(request, answer.decision) for request, answer in told.answers] == [("q", decision)]
    assert prompts == ["May I? [y/n] "]


@pytest.mark.parametrize(("said", "text"), [("2", "b"), ("own words", "own words"), ("", "a"), ("9", "9")])
async def test_a_person_answers_by_number_in_words_or_by_default(said: str, text: str) -> None:
    told = Told(
        QuestionAsked(request_id="q", prompt="Which?", options=("a", "b"), default="a"),
        RunFinished(outcome="completed"),
    )
    await follow(client(told), "r", NoScreen(), asking_person("zh", lambda _prompt: said))
    assert told.answers == [("q", RequestAnswer(decision="answer", text=text))]


async def test_events_that_stop_without_an_end_are_an_error() -> None:
    with pytest.raises(OwnerLost):
        await follow(client(Told(AnswerCompleted(answer=ANSWER))), "r", NoScreen())
