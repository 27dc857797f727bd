"""Plans survive the way through JSON, and nothing else is taken for one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tablewright.analyst.plan import (
    Aggregate,
    Between,
    Case,
    Col,
    Combine,
    Compare,
    Cut,
    Drawing,
    Filter,
    Join,
    Lit,
    Measure,
    Named,
    OneOf,
    Part,
    Plan,
    Procedure,
    Share,
    Sort,
    Source,
    Tag,
)
from tablewright.analyst.plan_codec import NotAPlan, plan_from_python, plan_to_python

SALES = Source(dataset_id="sales")
YES = Compare(op="=", left=Col(name="ok"), right=Lit(value=True))
MADE = Plan(
    parts=(
        Part(
            relation=Aggregate(
                source=Filter(source=SALES, where=OneOf(of=Col(name="n"), values=(1, 1.5, "1", None, False))),
                groups=(Named(name="size", of=Cut(of=Col(name="n"), edges=(0, 1.5), labels=("small",))),),
                measures=(Measure(name="rate", function="mean", of=Col(name="n"), where=YES, argument=0.25),),
            ),
            drawing=Drawing(kind="bar", x="size", y="rate"),
            decimals=2,
        ),
        Part(
            relation=Combine(
                op="ratio",
                left=Procedure(source=SALES, name="outliers", columns=("n",), options={"factor": 1.5, "keep": None}),
                right=Share(source=SALES, column="n", name="share", within=("ok",)),
                name="r",
            )
        ),
        Part(
            relation=Sort(
                source=Join(left=SALES, right=SALES, on=(("a", "b"),), how="left"), keys=(("n", True), ("a", False))
            ),
            shown=Filter(source=SALES, where=Between(of=Col(name="n"), low=None, high=3)),
        ),
        Part(
            relation=Aggregate(
                source=SALES,
                groups=(Named(name="kind", of=Case(branches=((YES, Lit(value="a")),), otherwise=Lit(value=None))),),
                measures=(),
            )
        ),
    ),
    tags=(Tag(name="t", part=1),),
    confidence=0.5,
)


def test_a_plan_comes_back_as_it_was() -> None:
    again = plan_from_python(json.loads(json.dumps(plan_to_python(MADE))))
    assert repr(again) == repr(MADE)  # 1, 1.0 and True are equal, but not the same plan


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (None, "plan: no Plan"),
        ({"node": "Source", "dataset_id": "x"}, "plan: no Plan"),
        ({"node": "Plan"}, "needs parts"),
        ({"node": "Plan", "parts": [], "more": 1}, "has no more"),
        ({"node": "Plan", "parts": [{"node": "Part", "relation": {"node": "Col", "name": "x"}}]}, "parts[0].relation"),
        ({"node": "Plan", "parts": [], "confidence": "1"}, "plan.confidence: str does not fit"),
        ({"node": "Plan", "parts": [], "save_as": 3}, "plan.save_as"),
        ({"node": "Plan", "parts": {}}, "plan.parts"),
    ],
)
def test_what_is_no_plan_is_refused_with_its_place(wrong: Any, told: str) -> None:
    with pytest.raises(NotAPlan) as refused:
        plan_from_python(wrong)
    assert told in str(refused.value)
