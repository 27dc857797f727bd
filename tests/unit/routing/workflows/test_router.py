"""The router with its fakes: what it keeps, and what embeddings and a model that chooses change."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from tests.support.patience import PATIENCE_S
from tests.unit.routing.workflows.test_matching import ALL, LEAVE

from tablewright.domain.message import Message, TextPart
from tablewright.errors import ModelUnreachable
from tablewright.models.base import Model, ModelRequest, StreamEnded, StreamPart
from tablewright.models.embeddings import Vector
from tablewright.models.memory_embeddings import MemoryEmbeddings
from tablewright.routing.workflows.candidates import Correction
from tablewright.routing.workflows.index import WorkflowIndex
from tablewright.routing.workflows.router import IndexMaker, WorkflowRouter

SAID = "帮我查一下订单"


class Chooser:
    """A model that answers the choice of a workflow with one text, or never."""

    name = "fake:chooser"

    def __init__(self, answer: str | None) -> None:
        self._answer = answer
        self.requests: list[ModelRequest] = []

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        self.requests.append(request)
        if self._answer is None:
            await asyncio.Event().wait()
        text = TextPart(text=self._answer or "", origin="output")
        yield StreamEnded(message=Message(role="assistant", parts=(text,)))


class Unreachable:
    """Embeddings whose endpoint is gone."""

    name = "fake:gone"
    closed = False

    async def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        raise ModelUnreachable(model=self.name, place="", words="")

    async def aclose(self) -> None:
        self.closed = True


class Counted:
    """Makes indexes and counts them."""

    def __init__(self) -> None:
        self.made = 0

    def maker(self) -> IndexMaker:
        def make(candidates: Any, **given: Any) -> WorkflowIndex:
            self.made += 1
            return WorkflowIndex(candidates, **given)

        return make


def router(answer: str | None = None, *, chooser: Model | None = None, **given: Any) -> WorkflowRouter:
    model = chooser or (Chooser(answer) if answer is not None else None)
    return WorkflowRouter(lambda: WorkflowIndex, chooser=(lambda: model) if model else None, **given)


async def test_an_index_is_made_once_until_something_is_published() -> None:
    count = Counted()
    routing = WorkflowRouter(count.maker)
    for _ in range(3):
        await routing.route(SAID, tenant="t", candidates=ALL)
    assert count.made == 1
    await routing.route(SAID, tenant="t", candidates=ALL[:2])
    await routing.route(SAID, tenant="other", candidates=ALL[:2])
    assert count.made == 3


async def test_many_first_messages_at_once_make_one_index() -> None:
    count = Counted()
    routing = WorkflowRouter(count.maker)
    found = await asyncio.gather(*(routing.route(SAID, tenant="t", candidates=ALL) for _ in range(20)))
    assert count.made == 1
    assert {one.workflow_id for one in found} == {"orders"}


async def test_without_workflows_nothing_is_loaded() -> None:
    def broken() -> IndexMaker:
        raise AssertionError

    for among in (None, ()):
        candidates = () if among is None else ALL
        decision = await WorkflowRouter(broken).route(SAID, tenant="t", candidates=candidates, among=among)
        assert decision.reason == "no_candidates"


async def test_a_model_chooses_among_the_shortlist() -> None:
    decision = await router(json.dumps({"workflow": "orders"})).route("订单", tenant="t", candidates=ALL)
    assert (decision.workflow_id, decision.reason) == ("orders", "model")
    decision = await router('{"workflow": null}').route(SAID, tenant="t", candidates=ALL)
    assert (decision.workflow_id, decision.reason) == (None, "model")


@pytest.mark.parametrize("answer", ["", "I cannot say", "[]", '{"workflow": "made up"}', '{"workflow": 3}', "{}"])
async def test_what_a_model_says_that_cannot_be_used_changes_nothing(answer: str) -> None:
    decision = await router(answer).route(SAID, tenant="t", candidates=ALL)
    assert (decision.workflow_id, decision.reason) == ("orders", "match")


async def test_a_model_that_never_answers_holds_nobody_up() -> None:
    decision = await router(chooser=Chooser(None), limit_s=0.01).route(SAID, tenant="t", candidates=ALL)
    assert (decision.workflow_id, decision.reason) == ("orders", "match")


async def test_a_model_is_not_asked_of_what_the_user_corrected() -> None:
    chooser = Chooser('{"workflow": null}')
    correction = Correction(utterance=SAID, workflow_id="orders", wanted_id="leave")
    decision = await router(chooser=chooser).route(SAID, tenant="t", candidates=ALL, corrections=[correction])
    assert decision.workflow_id == "leave"
    assert not chooser.requests


async def test_texts_of_workflows_are_embedded_once() -> None:
    embeddings = MemoryEmbeddings()
    routing = router(embeddings=embeddings)
    await routing.route("zzz off", tenant="t", candidates=ALL[:2])
    decision = await routing.route("zzz off", tenant="t", candidates=ALL)
    texts = [len(call) for call in embeddings.calls]
    assert texts == [8, 1, 4, 1]
    assert LEAVE.id in {one.id for one in decision.shortlist}


async def test_an_endpoint_that_is_gone_changes_nothing() -> None:
    decision = await router(embeddings=Unreachable()).route(SAID, tenant="t", candidates=ALL)
    assert (decision.workflow_id, decision.reason) == ("orders", "match")


async def test_what_is_open_to_an_endpoint_is_closed_with_the_router() -> None:
    embeddings = Unreachable()
    await router(embeddings=embeddings).aclose()
    assert embeddings.closed
    await router().aclose()


def test_the_router_loads_no_index_library_before_it_is_asked() -> None:
    listing = "import sys, tablewright.bootstrap.routing, tablewright.routing.continuation; "
    listing += "import tablewright.cli.ask, tablewright.cli.ask_command; "
    listing += "print(sorted({'tantivy', 'tablewright.routing.workflows.index'} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    assert done.stdout.strip() == "[]"
