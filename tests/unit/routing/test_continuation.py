"""Every row of the specification's decision for a conversation that waits: an answer, or something new."""

from __future__ import annotations

import pytest

from tablewright.routing.continuation import (
    CONTINUE_WORDS,
    Answer,
    NewIntent,
    WaitingQuestion,
    answer_at_once,
    answer_or_intent,
)
from tablewright.routing.workflows.candidates import Candidate, RoutingDecision, RoutingReason, ShortlistEntry
from tablewright.routing.workflows.index import WorkflowIndex

FREE = WaitingQuestion(workflow_id="orders")
VALID = WaitingQuestion(workflow_id="orders", valid=True)
INVALID = WaitingQuestion(workflow_id="orders", valid=False)
LONG = "actually forget that, I would rather see how much stock is left"


def routed(workflow: str | None, score: float = 0.9, reason: RoutingReason = "match") -> RoutingDecision:
    entry = ShortlistEntry(id=workflow or "stock", name="", score=score)
    return RoutingDecision(workflow_id=workflow, reason=reason, shortlist=(entry,), threshold=0.5)


NONE = routed(None, 0.1, "no_match")


@pytest.mark.parametrize(
    ("said", "question", "decision", "outcome"),
    [
        # (1) a continue word, whatever the router says
        ("继续", FREE, routed("stock"), Answer(reason="continue_word")),
        (" OK \n", FREE, routed("stock"), Answer(reason="continue_word")),
        ("ＹＥＳ", INVALID, routed("stock"), Answer(reason="continue_word")),
        # only the whole message is one
        ("好的，查库存", FREE, routed("stock"), NewIntent(workflow_id="stock")),
        # (2) what the schema takes is the answer, however it routes
        ("2025-11-10", VALID, routed("stock"), Answer(reason="valid")),
        (LONG, VALID, routed("stock"), Answer(reason="valid")),
        # (2) free text that is short
        ("ORD-001", FREE, NONE, Answer(reason="no_match")),
        ("帮我查库存", FREE, routed("stock"), NewIntent(workflow_id="stock")),
        ("帮我查库存", FREE, routed("stock", 0.4, "model"), Answer(reason="short")),
        ("帮我查库存", FREE, routed("stock", 0.4, "correction"), NewIntent(workflow_id="stock")),
        ("查订单", FREE, routed("orders"), Answer(reason="same_workflow")),
        # (3) otherwise the router decides
        (LONG, FREE, NONE, Answer(reason="no_match")),
        (LONG, FREE, routed("orders"), Answer(reason="same_workflow")),
        (LONG, FREE, routed("stock"), NewIntent(workflow_id="stock")),
        (LONG, FREE, routed("stock", 0.4, "model"), NewIntent(workflow_id="stock")),
        # what does not fit the schema: the workflow asks again, unless something else is wanted
        ("tomorrow-ish", INVALID, NONE, Answer(reason="no_match")),
        ("帮我查库存", INVALID, routed("stock"), NewIntent(workflow_id="stock")),
        ("帮我查库存", INVALID, routed("stock", 0.4, "model"), NewIntent(workflow_id="stock")),
    ],
)
def test_a_message_to_a_waiting_workflow(
    said: str, question: WaitingQuestion, decision: RoutingDecision, outcome: Answer | NewIntent
) -> None:
    assert answer_or_intent(said, question, decision) == outcome


@pytest.mark.parametrize("word", CONTINUE_WORDS)
def test_each_default_word_goes_on_without_asking_the_router(word: str) -> None:
    assert answer_at_once(f" {word.upper()} ", FREE) == Answer(reason="continue_word")


def test_other_words_may_be_configured() -> None:
    assert answer_at_once("Weiter", FREE, ("weiter",)) == Answer(reason="continue_word")
    assert answer_at_once("ok", FREE, ("weiter",)) is None


def test_a_text_of_twenty_characters_is_short_and_one_of_twenty_one_is_not() -> None:
    by_model = routed("stock", 0.4, "model")
    assert answer_or_intent("x" * 20, FREE, by_model) == Answer(reason="short")
    assert answer_or_intent("x" * 21, FREE, by_model) == NewIntent(workflow_id="stock")


def test_the_examples_of_the_specification_with_the_real_router() -> None:
    orders = Candidate(id="orders", name="订单查询", description="按订单号查询订单", utterances=("帮我查询订单",))
    stock = Candidate(id="stock", name="库存查询", description="查询商品的库存", utterances=("查一下库存",))
    index = WorkflowIndex((orders, stock))
    assert answer_or_intent("帮我查库存", FREE, index.match("帮我查库存")) == NewIntent(workflow_id="stock")
    assert isinstance(answer_or_intent("ORD-20251110-001", FREE, index.match("ORD-20251110-001")), Answer)
