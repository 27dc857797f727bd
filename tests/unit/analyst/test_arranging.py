"""The built-in analyst as a planner, and as one who sums up what others found."""

from __future__ import annotations

from tablewright.analyst.choosing import plan_of, summed_up
from tablewright.domain.task import DoneTask, PlanTasks, SumUp
from tablewright.domain.task_plan import TaskPlan

ASKED = PlanTasks(question="compare both years", language="en")


def test_a_request_is_one_step() -> None:
    assert plan_of(ASKED) == {"command": "create", "title": "compare both years", "steps": ["compare both years"]}


def test_once_there_is_a_plan_nothing_is_added_to_it() -> None:
    assert plan_of(PlanTasks(question="compare", language="en", plan=TaskPlan())) == {"command": "finish"}


def test_what_the_tasks_came_to_is_the_answer() -> None:
    one = DoneTask(text="a", result="A is 1.")
    assert summed_up(SumUp(question="?", language="en", tasks=(one,))) == "A is 1."
    both = SumUp(question="?", language="en", tasks=(one, DoneTask(text="b", result="B is 2.")))
    assert summed_up(both) == "a\nA is 1.\n\nb\nB is 2."
