"""What a user corrected once holds for that message and for those that are nearly the same."""

from __future__ import annotations

import pytest
from tests.unit.routing.workflows.test_matching import ALL

from tablewright.routing.workflows.candidates import Correction
from tablewright.routing.workflows.index import WorkflowIndex

SAID = "帮我查一下订单"
WANTED = Correction(utterance=SAID, workflow_id="orders", wanted_id="printer")
REFUSED = Correction(utterance=SAID, workflow_id="orders", wanted_id=None)


@pytest.fixture(scope="module")
def index() -> WorkflowIndex:
    return WorkflowIndex(ALL)


@pytest.mark.parametrize("said", [SAID, f"  {SAID} ", "请帮我查一下订单"])
def test_the_wanted_workflow_is_started_for_the_same_and_near_messages(index: WorkflowIndex, said: str) -> None:
    decision = index.match(said, corrections=[WANTED])
    assert (decision.workflow_id, decision.reason) == ("printer", "correction")


def test_a_message_that_means_something_else_is_not_touched(index: WorkflowIndex) -> None:
    decision = index.match("apply for leave", corrections=[WANTED])
    assert (decision.workflow_id, decision.reason) == ("leave", "match")


def test_what_was_refused_is_not_started_again(index: WorkflowIndex) -> None:
    decision = index.match(SAID, corrections=[REFUSED])
    assert (decision.workflow_id, decision.reason) == (None, "correction")


def test_the_latest_correction_of_a_message_holds(index: WorkflowIndex) -> None:
    assert index.match(SAID, corrections=[REFUSED, WANTED]).workflow_id == "printer"
    assert index.match(SAID, corrections=[WANTED, REFUSED]).workflow_id is None


def test_a_wanted_workflow_that_is_gone_is_not_started_nor_the_one_that_was_refused(index: WorkflowIndex) -> None:
    decision = index.match(SAID, corrections=[WANTED], among={"orders", "leave"})
    assert decision.workflow_id is None
