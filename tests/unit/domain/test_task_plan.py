"""Plans of tasks: what planners and people do to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.domain.codec import from_python, to_python
from tablewright.domain.task_plan import (
    MOST_TASKS,
    PlanEdit,
    PlanProblem,
    TaskPlan,
    TaskStep,
    begun,
    created,
    edited,
    ended,
    marked,
    updated,
)

PLAN = created(TaskPlan(), "Plan", ["a<sep>b", "c", "d"])


def texts(plan: TaskPlan) -> list[str]:
    return [step.text for step in plan.steps]


def test_a_step_has_its_tasks_and_no_more_than_can_be_watched() -> None:
    assert PLAN.steps[0].tasks == ("a", "b")
    many = TaskStep(id=1, text="<sep>".join(str(number) for number in range(100)))
    assert len(many.tasks) == MOST_TASKS
    assert many.tasks[-1].endswith("\n99")


def test_steps_are_begun_in_order_and_end_completed_or_blocked() -> None:
    plan = begun(PLAN)
    assert (plan.current, plan.round) == (plan.steps[0], 1)
    plan = begun(ended(plan))
    assert [step.status for step in plan.steps] == ["completed", "in_progress", "not_started"]
    assert ended(plan, blocked="no file").steps[1].note == "no file"


def test_a_step_that_is_completed_says_of_which_tasks_nothing_came() -> None:
    step = ended(begun(PLAN), problems=["", "no file"]).steps[0]
    assert (step.status, step.note, step.problems) == ("completed", "b: no file", ("", "no file"))
    well = ended(begun(PLAN), problems=["", ""]).steps[0]
    assert (well.note, well.problems) == ("", ())


def test_an_update_leaves_what_has_begun() -> None:
    plan = updated(begun(PLAN), ["d", "e", "a<sep>b"])
    assert texts(plan) == ["a<sep>b", "d", "e"]
    assert [step.id for step in plan.steps] == [1, 3, 4]


def test_a_planner_cannot_say_that_a_step_is_being_done() -> None:
    assert marked(PLAN, 2, "in_progress").steps[1].status == "not_started"
    assert marked(PLAN, 2, "blocked", "later").steps[1].note == "later"


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (PlanEdit(id="e", action="drop", step_id=1), "plan_edit_begun"),
        (PlanEdit(id="e", action="reword", step_id=1, text="x"), "plan_edit_begun"),
        (PlanEdit(id="e", action="reword", step_id=2), "plan_edit_empty"),
        (PlanEdit(id="e", action="drop", step_id=9), "plan_step_unknown"),
        (PlanEdit(id="e", action="add", text="x", before=1), "plan_edit_begun"),
    ],
)
def test_what_has_begun_is_not_edited(edit: PlanEdit, code: str) -> None:
    with pytest.raises(PlanProblem) as caught:
        edited(begun(PLAN), edit)
    assert caught.value.code == code


def test_a_person_adds_drops_and_rewords_what_has_not_begun() -> None:
    plan = edited(begun(PLAN), PlanEdit(id="1", action="drop", step_id=2))
    plan = edited(plan, PlanEdit(id="2", action="reword", step_id=3, text="D"))
    plan = edited(plan, PlanEdit(id="3", action="add", text="first", before=3))
    assert texts(plan) == ["a<sep>b", "first", "D"]
    assert edited(plan, PlanEdit(id="3", action="add", text="first", before=3)) is plan


def test_a_planner_leaves_what_a_person_wants() -> None:
    plan = edited(edited(PLAN, PlanEdit(id="1", action="drop", step_id=2)), PlanEdit(id="2", action="add", text="mine"))
    assert texts(updated(plan, ["c", "d"])) == ["d", "mine"]


WORDS = st.text("abcdefg", min_size=1, max_size=2)
EDITS = st.builds(
    PlanEdit,
    id=st.integers(0, 20).map(str),
    action=st.sampled_from(["add", "drop", "reword"]),
    text=WORDS,
    step_id=st.integers(1, 6),
    before=st.none() | st.integers(1, 6),
)


@given(st.lists(EDITS | st.lists(WORDS, min_size=1, max_size=5) | st.just("begin") | st.just("end"), max_size=30))
def test_whatever_is_done_to_a_plan_its_steps_keep_their_ids_and_one_is_done_at_a_time(changes: list[object]) -> None:
    plan = PLAN
    known: dict[int, str] = {}
    for change in changes:
        try:
            match change:
                case PlanEdit():
                    plan = edited(plan, change)
                case list():
                    plan = updated(plan, change)
                case "begin" if plan.next is not None and plan.current is None:
                    plan = begun(plan)
                case _:
                    plan = ended(plan)
        except PlanProblem:
            pass
        ids = [step.id for step in plan.steps]
        assert len(set(ids)) == len(ids)
        assert all(step_id < plan.next_id for step_id in ids)
        assert sum(step.status == "in_progress" for step in plan.steps) <= 1
        for step in plan.steps:
            if step.status != "not_started":
                assert known.setdefault(step.id, step.text) == step.text


def test_a_plan_is_written_with_the_tasks_of_its_steps_and_read_back() -> None:
    plan = ended(begun(PLAN), problems=["", "no file"])
    written = to_python(TaskPlan, plan)
    assert [[(part["text"], part["status"], part["note"]) for part in step["parts"]] for step in written["steps"]] == [
        [("a", "completed", ""), ("b", "blocked", "no file")],
        [("c", "not_started", "")],
        [("d", "not_started", "")],
    ]
    assert from_python(TaskPlan, written) == plan
