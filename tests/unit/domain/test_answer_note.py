"""Whoever shows an answer says which of its numbers no step has put out."""

from __future__ import annotations

from tablewright.domain.answer import Answer, NumberSource
from tablewright.domain.answer_note import NUMBERS_TOLD, note_of, with_note


def answer(text: str, *numbers: str, proven: tuple[str, ...] = ()) -> Answer:
    sources = tuple(
        NumberSource(
            value=0,
            start=text.index(number),
            end=text.index(number) + len(number),
            step_id="s" if number in proven else None,
        )
        for number in numbers
    )
    return Answer(text=text, outcome="completed", sources=sources)


def test_numbers_of_no_step_are_named_once_as_written() -> None:
    told = answer("Sales: 1,200 and 7% of 30.", "1,200", "7%", "30", "7%", proven=("30",))

    assert told.unverified == ("1,200", "7%")
    assert "1,200, 7%" in note_of(told, "en")
    assert with_note(told, "zh").startswith("Sales: 1,200 and 7% of 30.\n\n没有任何步骤")


def test_an_answer_whose_numbers_are_all_proven_is_left_as_it_is() -> None:
    told = answer("30 rows", "30", proven=("30",))

    assert note_of(told, "en") == ""
    assert with_note(told, "en") == "30 rows"


def test_a_long_list_of_numbers_is_cut() -> None:
    numbers = tuple(str(1000 + place) for place in range(NUMBERS_TOLD + 5))
    note = note_of(answer(" ".join(numbers), *numbers), "en")

    assert numbers[NUMBERS_TOLD - 1] in note
    assert numbers[NUMBERS_TOLD] not in note
    assert "…" in note
