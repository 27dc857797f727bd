"""Learning from candidates: what the right ones have in common gains weight."""

from __future__ import annotations

from benchmarks.grammar.learn import Question, fold_of, learned, ranks


def _question(number: int, *features: dict[str, float]) -> Question:
    """Return a question on a table of its own, whose first candidate is right."""
    return Question(
        id=f"q{number}", suite="own", table=f"t{number % 3}", prompt="", features=features,
        right=tuple(place == 0 for place in range(len(features))), said=("",) * len(features),
    )  # fmt: skip


def test_what_right_candidates_have_gains_weight() -> None:
    given = [_question(number, {"good": 1.0}, {"bad": 1.0}, {"other": 1.0}) for number in range(12)]
    found = learned(given, {"bad": 0.5})
    assert found["good"] > 0 > found["bad"] - 0.5
    assert set(ranks(given, found).values()) == {0}


def test_what_only_one_table_has_is_not_learned() -> None:
    given = [_question(3 * number, {"one table": 1.0}, {"bad": 1.0}) for number in range(12)]
    assert "one table" not in learned(given, {})


def test_questions_of_a_table_are_in_one_fold() -> None:
    assert len({fold_of(_question(3 * number, {"any": 1.0})) for number in range(5)}) == 1
