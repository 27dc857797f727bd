"""What every store does with what a person is asked."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tablewright.domain.events import QuestionAsked, RequestAnswered
from tablewright.domain.inbox import AnswerGiven, InboxItem
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.errors import AlreadyAnswered, Conflict, NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import (
    ANN,
    BOB,
    T0,
    after,
    batch,
    begun,
    end_of,
    file,
    message,
    progress,
    refused,
)

YES = RequestAnswer(decision="approve")
NO = RequestAnswer(decision="reject", text="不", values={"rows": [1, 2]})


def asked(request_id: str) -> OpenRequest:
    """Make a question."""
    return OpenRequest(
        id=request_id,
        run_id="r-1",
        kind="question",
        prompt="哪一年?",
        created_at=T0,
        subject_kind="column",
        schema={"type": "object"},
        options=("2025", "2026"),
        default="2026",
    )


async def with_questions(store: Store, *request_ids: str) -> None:
    """Begin a run that has asked."""
    await begun(store)
    for request_id in request_ids:
        body = QuestionAsked(request_id=request_id, prompt="哪一年?")
        await store.log.append(ANN, replace(batch(body), requests=(asked(request_id),)))


async def taken(store: Store, *, attempt: int = 1) -> list[InboxItem]:
    """Take what the inbox of the run has."""
    return [entry.item for entry in await store.log.take(ANN, "r-1", attempt=attempt)]


class AnswersConformance:
    """Requests are answered once, in any order, and no answer is lost."""

    async def test_requests_come_back_as_they_were_asked(self, store: Store) -> None:
        await with_questions(store, "q-1", "q-2")
        assert await store.log.requests(ANN, "r-1") == (asked("q-1"), asked("q-2"))

    async def test_the_files_of_the_message_that_answers_are_those_of_its_conversation(self, store: Store) -> None:
        await with_questions(store, "q-1")
        await store.files.add(ANN, file("f-1"), refs=(), conversation_id=None)
        await store.files.add(BOB, file("f-2"), refs=(), conversation_id=None)
        said = message("m-2", "不", at=after(5))
        with refused(NotFound):
            await store.log.answer(ANN, "r-1", "q-1", NO, at=after(5), message=replace(said, file_ids=("f-2",)))
        assert (await store.log.requests(ANN, "r-1"))[0].answer is None
        await store.log.answer(ANN, "r-1", "q-1", NO, at=after(5), message=replace(said, file_ids=("f-1",)))
        assert (await store.conversations.messages(ANN, "c-1")).items[-1].file_ids == ("f-1",)
        assert [one.id for one in await store.files.linked(ANN, "c-1")] == ["f-1"]

    async def test_an_answer_is_stored_with_its_event(self, store: Store) -> None:
        await with_questions(store, "q-1")
        stored = await store.log.answer(ANN, "r-1", "q-1", NO, at=after(5))
        assert stored == replace(asked("q-1"), answer=NO, answered_at=after(5), answered_by="ann")
        assert await store.log.requests(ANN, "r-1") == (stored,)
        event = (await store.log.events(ANN, "r-1"))[-1]
        assert (event.seq, event.at, event.body) == (3, after(5), RequestAnswered(request_id="q-1", answer=NO))

    async def test_the_same_answer_again_changes_nothing_and_another_is_refused(self, store: Store) -> None:
        await with_questions(store, "q-1")
        first = await store.log.answer(ANN, "r-1", "q-1", YES, at=after(1))
        assert await store.log.answer(ANN, "r-1", "q-1", YES, at=after(2)) == first
        with refused(AlreadyAnswered):
            await store.log.answer(ANN, "r-1", "q-1", NO, at=after(3))
        assert (await store.runs.get(ANN, "r-1")).last_seq == 3

    async def test_what_was_said_as_an_answer_joins_the_history_once(self, store: Store) -> None:
        await with_questions(store, "q-1")
        words = message("m-9", "yes!", at=after(5))
        for _ in range(2):
            await store.log.answer(ANN, "r-1", "q-1", YES, at=after(5), message=words)
        said = (await store.conversations.messages(ANN, "c-1")).items
        assert [one.text for one in said][1:] == ["yes!"]

    async def test_of_answers_at_the_same_time_one_counts(self, store: Store) -> None:
        await with_questions(store, "q-1")
        answers = [RequestAnswer(decision="answer", text=str(number)) for number in range(6)]
        results = await asyncio.gather(
            *(store.log.answer(ANN, "r-1", "q-1", answer, at=after(1)) for answer in answers), return_exceptions=True
        )
        taken = [result for result in results if isinstance(result, OpenRequest)]
        assert len(taken) == 1
        assert sum(isinstance(result, AlreadyAnswered) for result in results) == 5
        assert (await store.log.requests(ANN, "r-1"))[0] == taken[0]

    async def test_what_was_not_asked_cannot_be_answered(self, store: Store) -> None:
        await with_questions(store, "q-1")
        with refused(NotFound):
            await store.log.answer(ANN, "r-1", "q-9", YES, at=after(1))
        with refused(NotFound):
            await store.log.answer(BOB, "r-1", "q-1", YES, at=after(1))

    async def test_a_finished_run_takes_no_first_answer(self, store: Store) -> None:
        await with_questions(store, "q-1", "q-2")
        first = await store.log.answer(ANN, "r-1", "q-1", YES, at=after(1))
        await store.log.append(ANN, end_of())
        with refused(Conflict):
            await store.log.answer(ANN, "r-1", "q-2", YES, at=after(2))
        assert await store.log.answer(ANN, "r-1", "q-1", YES, at=after(2)) == first

    async def test_each_answer_is_taken_by_one_attempt_once(self, store: Store) -> None:
        await with_questions(store, "q-1", "q-2", "q-3")
        assert await store.log.take(ANN, "r-1", attempt=1) == ()
        first = await store.log.answer(ANN, "r-1", "q-2", YES, at=after(1))
        assert await taken(store, attempt=1) == [AnswerGiven(request_id=first.id, answer=YES)]
        second = await store.log.answer(ANN, "r-1", "q-1", NO, at=after(2))
        assert await taken(store, attempt=1) == [AnswerGiven(request_id=second.id, answer=NO)]
        assert await store.log.take(ANN, "r-1", attempt=1) == ()

    async def test_a_run_does_not_rest_over_an_answer_that_was_not_taken(self, store: Store) -> None:
        await with_questions(store, "q-1", "q-2")
        await store.log.answer(ANN, "r-1", "q-1", YES, at=after(1))
        assert not await store.runs.rest(ANN, "r-1", attempt=1, at=after(0))
        assert (await store.runs.get(ANN, "r-1")).state == "running"
        await store.log.take(ANN, "r-1", attempt=1)
        assert await store.runs.rest(ANN, "r-1", attempt=1, at=after(0))

    async def test_a_waiting_run_can_be_answered_and_claimed(self, store: Store) -> None:
        await with_questions(store, "q-1")
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(0))
        stored = await store.log.answer(ANN, "r-1", "q-1", YES, at=after(1))
        await store.runs.claim(ANN, "r-1", attempt=1, instance_id="i-2", at=after(1), lease_until=after(20))
        assert await taken(store, attempt=2) == [AnswerGiven(request_id=stored.id, answer=YES)]
        assert await store.log.append(ANN, batch(*progress(1), attempt=2)) == 4

    async def test_a_request_asked_again_keeps_its_answer(self, store: Store) -> None:
        await with_questions(store, "q-1")
        stored = await store.log.answer(ANN, "r-1", "q-1", YES, at=after(1))
        await store.log.append(ANN, replace(batch(), requests=(asked("q-1"),)))
        assert await store.log.requests(ANN, "r-1") == (stored,)

    async def test_an_answer_given_by_policy_arrives_with_its_question(self, store: Store) -> None:
        await begun(store)
        given = replace(asked("q-1"), answer=YES, answered_at=T0, answered_by="policy")
        await store.log.append(ANN, replace(batch(), requests=(given,)))
        assert await taken(store, attempt=1) == [AnswerGiven(request_id=given.id, answer=YES)]
