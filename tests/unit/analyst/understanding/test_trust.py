"""Trust that ships, and trust that is learned."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace

import pytest
from benchmarks.grammar.trust import Case, learn, seen
from tests.unit.analyst.grammar.clinic import BILLS, VISITS

from tablewright.analyst.understanding.circumstances import circumstances
from tablewright.analyst.understanding.deciding import MOST_WRONG, Logit, shipped, trust_of
from tablewright.analyst.understanding.judging import SCORE, Judged, evidence, grouped, is_proven


def test_the_trust_that_ships_asks_for_more_where_less_may_be_wrong() -> None:
    trust = shipped()
    asked = [trust.least(share) for share in (0.0, 0.02, MOST_WRONG, 0.5, 1.0)]
    assert asked == sorted(asked, reverse=True)
    assert asked[0] > 1.0
    assert asked[-1] == 0.0


def case(number: int, draw: random.Random) -> Case:
    """Return a question with three results; where its words are covered, the first is right."""
    covered = draw.random() < 0.5
    scores = (3.0, 1.0, 0.0)
    judged = tuple(
        Judged(features={"score": score, **({} if covered else {"left:word": 1.0})}, key=str(place), place=place)
        for place, score in enumerate(scores)
    )
    right = "0" if covered or draw.random() < 0.3 else "nothing"
    rights = frozenset([right])
    return Case(
        table=f"t{number % 20}", suite="", judged=judged, rights=rights, weight=1.0, learned=number % 5 == 0, around={}
    )


def test_what_is_learned_keeps_wrong_answers_rare_on_tables_left_out() -> None:
    draw = random.Random(7)
    trust, figures = learn([case(number, draw) for number in range(160)])
    assert figures["questions"] == 128
    assert figures["wrong_among_sure"] <= MOST_WRONG
    assert figures["sure"] > 40
    assert figures["sure"] + figures["offered"] + figures["lost"] == 128
    assert trust_of(json.loads(json.dumps(asdict(trust)))) == trust
    for asked in (case(number, draw) for number in range(20)):
        covered = not any("left:word" in one.features for one in asked.judged)
        told = seen(asked, trust.temperature).evidence
        assert (trust.decide(told) == "sure") == covered


def test_what_is_known_before_any_reading_is_bounded() -> None:
    few, many = circumstances("how many", [VISITS]), circumstances("how many " * 90, [VISITS, BILLS] * 40)
    assert (few["tables:several"], many["tables:several"]) == (0.0, 1.0)
    assert 0 < few["asked:words"] < many["asked:words"] < 4
    assert 0 < few["tables:columns"] < many["tables:columns"] < 4
    dirty = replace(VISITS, columns=(replace(VISITS.columns[0], kind="mixed"), *VISITS.columns[1:]))
    assert few["tables:irregular"] == 0 < circumstances("how many", [dirty])["tables:irregular"] < 1


def test_the_same_reading_is_trusted_less_where_tables_are_worse() -> None:
    judged = Judged(features={"score": 1.0}, key="a", place=0)
    groups = grouped([judged], temperature=1.0)
    told = evidence(groups, {"tables:irregular": 0.5})
    assert told["tables:irregular"] == 0.5
    assert Logit(bias=0.0, weights={"tables:irregular": -2.0}).of(told) < 0.5


@pytest.mark.parametrize("kind", ["not", "compare", "number", "unit", "period", "duration"])
def test_a_reading_that_leaves_a_limit_or_a_time_aside_is_not_proven(kind: str) -> None:
    left = Judged(features={SCORE: 1.0, f"left:{kind}": 1.0}, key="[[], []]", place=0)
    whole = Judged(features={SCORE: 1.0, "left:stop": 1.0}, key="[[], []]", place=0)
    assert not is_proven(grouped([left], temperature=1.0))
    assert is_proven(grouped([whole], temperature=1.0))
