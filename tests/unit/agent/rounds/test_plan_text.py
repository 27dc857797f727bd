"""A plan that a model wrote is read whole or not at all, however it was written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.agent.rounds.plan_text import read_plan
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.written_plan import Unreadable, WrittenPlan
from tablewright.texts.catalogue import text

PLAN: dict[str, Any] = {
    "execution_plan": [
        {"step": 1, "function": "sort_rows", "parameters": {"by": [{"column": "a]}"}]}, "description": "Sort"},
        {"step": 2, "function": "create_chart", "parameters": {"type": "bar"}, "description": 'Chart "it"'},
    ]
}
STEPS = (
    PlanStep(step=1, function="sort_rows", parameters={"by": [{"column": "a]}"}]}, description="Sort"),
    PlanStep(step=2, function="create_chart", parameters={"type": "bar"}, description='Chart "it"'),
)
PLAIN = json.dumps(PLAN)


@pytest.mark.parametrize(
    "written",
    [
        PLAIN,
        json.dumps(PLAN, indent=2),
        f"```json\n{PLAIN}\n```",
        f"Here is the plan:\n\n{PLAIN}\n\nShall I go on?",
        f"I use {{curly}} words [1] and then:\n```\n{PLAIN}\n``` and {{more}}.",
        PLAIN.replace("}, {", "},\n // the chart\n {").replace('"bar"}', '"bar", /* all */ }'),
        json.dumps(PLAN, indent=1).replace("\n }\n", "\n },\n").replace('"Sort"', '"Sort",'),
        PLAIN.replace("execution_plan", "executionPlan"),
        json.dumps(PLAN["execution_plan"]),
        PLAIN[:-1],
        PLAIN[:-1] + ', "message": "I will now',
        f"Numbers in [0, 1) are meant. {PLAIN}",
        f"```json\n{PLAIN[:-1]}",
    ],
)
def test_a_plan_is_read_in_every_dress(written: str) -> None:
    assert read_plan(written) == WrittenPlan(
        steps=STEPS, message="I will now" if written.endswith("I will now") else ""
    )


def test_every_field_is_read_in_both_spellings() -> None:
    snake = {"need_info": True, "is_conversational": "true", "completed": 1, "error": "no", "covers_request": False}
    camel = {"needInfo": True, "isConversational": "true", "completed": 1, "error": "no", "coversRequest": False}
    words = {"message": " which? ", "response": "hi"}
    expected = WrittenPlan(
        need_info=True, conversational=True, completed=True, error="no", covers_request=False, message="which?",
        response="hi",
    )  # fmt: skip
    assert read_plan(json.dumps({**snake, **words})) == read_plan(json.dumps({**camel, **words})) == expected
    assert read_plan('{"executionPlan": null, "error": null, "message": null}') == WrittenPlan()


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("", "rounds.no_json"),
        ("I cannot do that.", "rounds.no_json"),
        ('{"execution_plan": [{"function": "a"} {"function": "b"}]}', "rounds.bad_json"),
        ('{"weather": "fine"}', "rounds.no_json"),
        (PLAIN[:-2], "rounds.cut_off"),
        (PLAIN[:80], "rounds.cut_off"),
        (PLAIN[:-1] + ',"comp', "rounds.cut_off"),
        (PLAIN[:-1] + ', "error": "it is', "rounds.cut_off"),
        ('{"execution_plan": []', "rounds.cut_off"),
        ('{"execution_plan": "none"}', "rounds.steps_not_list"),
        ('{"execution_plan": [{"step": 1, "description": "?"}]}', "rounds.step_without_function"),
        ('{"execution_plan": [{"function": "a", "parameters": "b"}]}', "rounds.step_parameters"),
        ('{"execution_plan": [{"function": "a", "parameters": {"value": NaN}}]}', "rounds.bad_json"),
        ("[" * 100_000, "rounds.no_json"),
        ("{" * 100_000, "rounds.bad_json"),
        ('{"execution_plan": [{"function": "a"]}', "rounds.bad_json"),
        ('{execution_plan: [{"function": "a"}], error: "no"}', "rounds.bad_json"),
        ('{execution_plan: [{"function": "a", "parameters": {"message": "b"}}', "rounds.cut_off"),
        ('[{"function": "a"}, {"function": "b"', "rounds.cut_off"),
    ],
)
def test_what_is_no_whole_plan_is_unreadable_with_its_reason(written: str, problem: str) -> None:
    with pytest.raises(Unreadable) as unreadable:
        read_plan(written)
    assert unreadable.value.problem == problem
    for language in ("zh", "en"):
        assert "{" not in text(problem, language, **unreadable.value.params)


def test_steps_with_the_same_number_are_numbered_anew() -> None:
    steps = [{"step": 1, "function": "a"}, {"step": "1", "function": "b"}, {"function": "c", "retries": "2"}]
    read = read_plan(json.dumps({"execution_plan": steps})).steps
    assert [(step.step, step.function, step.retries) for step in read] == [(1, "a", None), (2, "b", None), (3, "c", 2)]


def test_numbers_that_grow_are_kept() -> None:
    read = read_plan('{"execution_plan": [{"step": 2, "function": "a"}, {"step": "5", "function": "b"}]}').steps
    assert [step.step for step in read] == [2, 5]


def test_what_no_store_takes_is_made_fit() -> None:
    (step,) = read_plan('{"execution_plan": [{"function": "a", "parameters": {"x": ["\\ud800\\u0000y"]}}]}').steps
    assert step.parameters == {"x": ["?y"]}


TEXTS = st.text(alphabet=st.sampled_from('{}[]",:\\/ \nab1*`'), max_size=60) | st.text(max_size=40)
CELLS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
PARAMETERS = st.dictionaries(st.text(max_size=6), CELLS | st.lists(CELLS, max_size=3), max_size=3)
PLANS = st.fixed_dictionaries(
    {
        "execution_plan": st.lists(
            st.fixed_dictionaries(
                {"function": st.text("abc_", min_size=1, max_size=9), "parameters": PARAMETERS},
                optional={"description": st.text(max_size=20)},
            ),
            max_size=4,
        )
    },
    optional={"completed": st.booleans(), "error": st.text(max_size=9), "message": st.text(max_size=20)},
)


@given(TEXTS | PLANS.map(json.dumps).flatmap(lambda plan: TEXTS.map(lambda more: f"{more}{plan}{more}")))
def test_no_text_breaks_the_reading(written: str) -> None:
    try:
        read = read_plan(written)
    except Unreadable as unreadable:
        read = WrittenPlan(error=text(unreadable.problem, "en", **unreadable.params))
    assert read.error or isinstance(read.steps, tuple)


@given(PLANS, st.data(), st.sampled_from(["", "Plan: ", "```json\n"]))
@pytest.mark.requirement("rounds-plan-read-whole")
def test_a_cut_plan_is_the_whole_plan_or_unreadable(plan: dict[str, Any], data: st.DataObject, lead: str) -> None:
    written = json.dumps(plan)
    whole = read_plan(lead + written)
    at = data.draw(st.integers(0, len(written)))
    try:
        read = read_plan(lead + written[:at])
    except Unreadable:
        return
    assert read.steps == whole.steps
