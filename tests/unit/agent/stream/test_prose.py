from __future__ import annotations

from tablewright.agent.stream.prose import ProseBuffer


def test_what_is_shown_joined_is_the_text_without_outer_blanks() -> None:
    flow = ProseBuffer()
    shown = [flow.add(piece) for piece in ("\n  He", "llo ", " ", "you\n", "\n")]
    assert "".join(shown) == flow.text == "Hello  you"


def test_code_reads_as_a_new_paragraph() -> None:
    flow = ProseBuffer()
    shown = [flow.add("One.\n")]
    flow.code()
    shown += [flow.add("\n"), flow.add("\nTwo")]
    assert "".join(shown) == flow.text == "One.\n\nTwo"
    assert flow.since_code == "Two"


def test_code_at_the_beginning_leaves_no_blanks() -> None:
    flow = ProseBuffer()
    flow.code()
    assert flow.add("\nTwo") == "Two"
