"""Plans become data and come back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.analyst.facts import S, column
from tests.unit.analyst.understanding.offers import counting

from tablewright.analyst.plan import (
    Aggregate,
    AllOf,
    Between,
    Bucket,
    Case,
    Col,
    Derive,
    Drawing,
    Join,
    Lit,
    Math,
    Missing,
    Named,
    Not,
    OneOf,
    Part,
    Plan,
    Procedure,
    Sort,
    Tag,
    Top,
)
from tablewright.analyst.plan_data import from_data, to_data

WHERE = AllOf(parts=(Not(of=Missing(of=Col(name="a"))), Between(of=Col(name="b"), low=1, high=None)))
CASE = Case(branches=((OneOf(of=Col(name="c"), values=("x", None, True)), Lit(value=1)),), otherwise=Lit(value=0.5))
MADE = Named(name="n", of=Math(op="+", left=CASE, right=Bucket(of=Col(name="date"), unit="month")))
RANKED = Top(source=Sort(source=Derive(source=S, columns=(MADE,)), keys=(("n", True),)), by="n", count=3)
JOINED = Join(left=S, right=Aggregate(source=S, groups=(column("a"),), measures=()), on=(("a", "b"),))
PLANS = [
    counting("East"),
    Plan(parts=(Part(relation=Procedure(source=S, name="t_test", columns=("a", "b"), options={"paired": True})),)),
    Plan(
        parts=(
            Part(relation=RANKED, drawing=Drawing(kind="stacked bar", x="n", y="m"), decimals=2),
            Part(relation=JOINED),
        ),
        tags=(Tag(name="mean", decimals=1),),
    ),
]


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_comes_back_from_json_as_it_was(plan: Plan) -> None:
    assert from_data(json.loads(json.dumps(to_data(plan)))) == plan


@pytest.mark.parametrize(
    "data", [None, 3, [], {}, {"is": "Plan"}, {"is": "open", "file": "x"}, {"is": "Source", "dataset_id": "s"}]
)
def test_what_is_no_plan_is_refused(data: Any) -> None:
    assert from_data(data) is None
