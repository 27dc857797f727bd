"""Results of earlier rounds are read shorter, those of the last whole."""

from __future__ import annotations

from tablewright.agent.structured.cleaning import OLD_CHARS, cleaned
from tablewright.domain.structured import StructuredAnswer, StructuredRoundFacts, ToolOutcome, ToolRequest

LONG = "".join(f"{number:>6}" for number in range(1_000))


def taken(number: int, *texts: str) -> StructuredRoundFacts:
    ids = [f"{number}-{place}" for place in range(len(texts))]
    calls = tuple(ToolRequest(tool_name="run_python", tool_call_id=one) for one in ids)
    answer = StructuredAnswer(task_analysis="a", execution_plan="p", current_round=number, calls=calls)
    outcomes = tuple(
        ToolOutcome(tool_call_id=one, tool_name="run_python", text=text) for one, text in zip(ids, texts, strict=True)
    )
    return StructuredRoundFacts(answer=answer, outcomes=outcomes)


def texts_of(*rounds: StructuredRoundFacts) -> list[list[str]]:
    return [[outcome.text for outcome in one.outcomes] for one in cleaned(rounds, "en").rounds]


def test_short_rounds_stay_as_they_are() -> None:
    rounds = (taken(1, "10 rows"), taken(2, "10 rows"))
    assert cleaned(rounds, "en").rounds == rounds
    assert not cleaned(rounds, "en").changed
    assert not cleaned((), "en").changed


def test_the_results_of_the_last_round_are_whole() -> None:
    assert texts_of(taken(1, LONG)) == [[LONG]]


def test_older_results_keep_their_beginning_and_their_end() -> None:
    ((old,), _) = texts_of(taken(1, LONG), taken(2, "x"))
    assert old.startswith(LONG[: OLD_CHARS * 2 // 3])
    assert old.endswith(LONG[-OLD_CHARS // 3 :])
    assert f"({len(LONG) - OLD_CHARS} characters left out)" in old


def test_a_preview_that_comes_again_is_read_where_it_comes_last() -> None:
    preview = LONG[:600]
    assert texts_of(taken(1, preview, "total 3"), taken(2, preview)) == [
        ["(the same as the result of call 2-0)", "total 3"],
        [preview],
    ]


def test_two_equal_results_of_one_round_are_read_once() -> None:
    assert texts_of(taken(1, LONG, LONG)) == [["(the same as the result of call 1-1)", LONG]]


def test_answers_and_failures_are_not_touched() -> None:
    failed = ToolOutcome(tool_call_id="1-0", tool_name="file_reader", text="there is no file", failed=True)
    first = StructuredRoundFacts(answer=taken(1).answer, outcomes=(failed,))
    assert cleaned((first, taken(2, "x")), "en").rounds[0] == first
