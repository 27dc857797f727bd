"""What every store does with the workflow that waits in a conversation."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.conversation import NOTHING_WAITS, WAITING, ConversationState
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.errors import NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.children import child, of_child, started
from tablewright.store.conformance.examples import (
    ANN,
    BOB,
    OTHER_TENANT,
    T0,
    after,
    batch,
    begun,
    conversation,
    end_of,
    first_of,
    refused,
    run,
)
from tablewright.store.run_store import Batch

WAITS = ConversationState(stage=WAITING, workflow_id="leave", run_id="r-1")


def asked(number: int = 1, *, run_id: str = "r-1", answer: RequestAnswer | None = None) -> OpenRequest:
    """Make a request of a run; with an answer, one that policy has answered."""
    at = None if answer is None else T0
    return OpenRequest(
        id=f"q-{number}", run_id=run_id, kind="question", prompt="?", created_at=T0, answer=answer, answered_at=at
    )


def of_workflow(run_id: str = "r-1") -> Run:
    """Make a run of a workflow."""
    return replace(run(run_id), workflow_id="leave")


def asking(*requests: OpenRequest) -> Batch:
    """Make a batch in which a run asks."""
    return replace(batch(), requests=requests)


class ConversationStatesConformance:
    """A conversation knows which workflow waits in it: the log says so, in the append that asks or ends."""

    async def test_a_new_conversation_is_idle(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        assert await store.conversations.state(ANN, "c-1") == NOTHING_WAITS
        for stranger in (BOB, OTHER_TENANT):
            with refused(NotFound):
                await store.conversations.state(stranger, "c-1")
            with refused(NotFound):
                await store.conversations.set_state(stranger, "c-1", WAITS, instead_of=NOTHING_WAITS)
        assert await store.conversations.state(ANN, "c-1") == NOTHING_WAITS

    async def test_a_workflow_that_asks_waits_in_its_conversation_until_it_ends(self, store: Store) -> None:
        await begun(store, of_workflow())
        assert (await store.runs.get(ANN, "r-1")).workflow_id == "leave"
        assert await store.conversations.state(ANN, "c-1") == NOTHING_WAITS
        await store.log.append(ANN, asking(asked()))
        assert await store.conversations.state(ANN, "c-1") == WAITS
        await store.log.answer(ANN, "r-1", "q-1", RequestAnswer(decision="answer", text="!"), at=after(1))
        assert await store.conversations.state(ANN, "c-1") == WAITS
        await store.log.append(ANN, end_of())
        assert await store.conversations.state(ANN, "c-1") == NOTHING_WAITS

    async def test_what_runs_below_a_workflow_ask_waits_in_its_conversation(self, store: Store) -> None:
        await begun(store, of_workflow())
        await store.runs.begin_child(ANN, child(), started(child()), parent_attempt=1)
        await store.log.append(ANN, replace(of_child(), requests=(asked(run_id="r-1-1"),)))
        assert await store.conversations.state(ANN, "c-1") == WAITS
        await store.log.append(ANN, replace(end_of("r-1-1"), top_id="r-1"))
        assert await store.conversations.state(ANN, "c-1") == WAITS

    async def test_what_is_no_workflow_or_is_answered_at_once_changes_no_state(self, store: Store) -> None:
        await begun(store)
        await store.log.append(ANN, asking(asked()))
        assert await store.conversations.state(ANN, "c-1") == NOTHING_WAITS
        await begun(store, replace(of_workflow("r-2"), conversation_id="c-2"))
        answered = asked(2, run_id="r-2", answer=RequestAnswer(decision="approve"))
        await store.log.append(ANN, replace(asking(answered), run_id="r-2"))
        assert await store.conversations.state(ANN, "c-2") == NOTHING_WAITS

    async def test_the_end_of_one_run_leaves_the_wait_for_another(self, store: Store) -> None:
        await begun(store)
        other = replace(WAITS, run_id="r-9")
        assert await store.conversations.set_state(ANN, "c-1", other, instead_of=NOTHING_WAITS)
        await store.log.append(ANN, end_of())
        assert await store.conversations.state(ANN, "c-1") == other

    async def test_a_run_begun_instead_of_one_that_waits_leaves_the_conversation_idle(self, store: Store) -> None:
        await begun(store, of_workflow())
        await store.log.append(ANN, asking(asked()))
        await store.runs.rest(ANN, "r-1", attempt=1, at=after(1))
        following = of_workflow("r-2")
        await store.runs.begin(ANN, following, first_of(following), title="", instead_of="r-1")
        assert await store.conversations.state(ANN, "c-1") == NOTHING_WAITS

    async def test_a_state_is_replaced_only_while_it_is_what_the_caller_has_seen(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        assert not await store.conversations.set_state(ANN, "c-1", NOTHING_WAITS, instead_of=WAITS)
        broken = ConversationState(stage="BROKEN", workflow_id="leave")
        assert await store.conversations.set_state(ANN, "c-1", broken, instead_of=NOTHING_WAITS)
        assert await store.conversations.state(ANN, "c-1") == broken
        assert broken.contradictory
        assert await store.conversations.set_state(ANN, "c-1", NOTHING_WAITS, instead_of=broken)

    async def test_a_message_says_what_wrote_it(self, store: Store) -> None:
        await begun(store)
        (asked_first,) = (await store.conversations.messages(ANN, "c-1")).items
        written = replace(
            asked_first, id="m-2", ordinal=2, author="assistant", provider_name="workflow", base_name="workflow-engine"
        )
        await store.log.append(ANN, replace(batch(), messages=(written,)))
        assert (await store.conversations.messages(ANN, "c-1")).items == (asked_first, written)
