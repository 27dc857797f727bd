"""The search and what is made of it."""

from __future__ import annotations

from itertools import combinations

from tests.unit.analyst.grammar.clinic import seen

from tablewright.analyst.grammar.coverage import classes_of, left_over
from tablewright.analyst.grammar.search import Search, State
from tablewright.analyst.grammar.weights import weights


def _states(question: str) -> list[State]:
    scene = seen(question)
    return Search(scene, weights(), 0, classes_of(scene)).states()


def test_parts_of_a_reading_cover_different_words() -> None:
    for state in _states("how many cats with a fee above 50 per vet in 2024"):
        parts = [*state.conditions, *(part for part in state.parts if part is not None)]
        assert all(not one.mask & other.mask for one, other in combinations(parts, 2))


def test_a_reading_without_conditions_is_kept() -> None:
    assert any(not state.conditions for state in _states("fee of cats, dogs and rabbits of Dr Silva in 2024"))


def test_every_kind_of_answer_has_its_share() -> None:
    frames = {state.frame.name for state in _states("which vet has the highest fee") if state.frame}
    assert {"value", "groups", "best", "rows", "extreme"} <= frames


def test_what_is_left_over_is_known_by_class() -> None:
    scene = seen("visits not above 50")
    left = left_over(classes_of(scene), 0)
    assert {"left:not", "left:compare", "left:number", "left:rows"} <= left.keys()
    assert not left_over(classes_of(scene), -1)
