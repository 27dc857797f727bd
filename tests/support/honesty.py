"""What must hold of a run whatever its model has written: it ends clearly, and what is invented is marked."""

from __future__ import annotations

from typing import Any

from tests.support.commands import Said

from tablewright.agent.code.figures import Figure, figures
from tablewright.agent.structured.statements import statements_of
from tablewright.texts.catalogue import catalogue

OUTCOMES = {"completed", "failed", "declined", "limit"}
INTERNAL = "internal_error"


def unmarked(text: str, answer_sources: list[dict[str, Any]], *known: str) -> list[str]:
    """Return the numbers of an answer that are neither traced to a step nor marked as of none.

    A number that may be a year, or that stands in one of the `known` texts, needs neither.
    """
    covered = {(source["start"], source["end"]) for source in answer_sources}
    repeated = {abs(figure.written) for words in known for figure in figures(words)}
    return [
        text[figure.start : figure.end]
        for figure in figures(statements_of(text))
        if (figure.start, figure.end) not in covered and not _harmless(figure, repeated)
    ]


def unnamed(text: str, named: list[str], *known: str) -> list[str]:
    """Return the numbers of a text that stand neither in a `known` text nor among those `named` as unverified."""
    written = {" ".join(number.split()) for number in named}
    repeated = {abs(figure.written) for words in known for figure in figures(words)}
    found = [figure for figure in figures(statements_of(text)) if not _harmless(figure, repeated)]
    return [text[each.start : each.end] for each in found if text[each.start : each.end] not in written]


def check_run(run: dict[str, Any]) -> None:
    """Check a finished run as the native API tells it."""
    assert (run["state"], run["outcome"] in OUTCOMES) == ("finished", True), run
    if (failure := run["failure"]) is not None:
        assert failure["code"] in catalogue("en"), failure
        assert failure["code"] != INTERNAL
        assert failure["message"].strip()
        return
    answer = run["answer"]
    assert answer["text"].strip(), run
    if run["mode"] != "edit":
        assert unmarked(answer["text"], answer["sources"], run["question"]) == []


def check_said(said: Said) -> None:
    """Check how a command ended: with an answer, declined, or with a reason; never with a fault of ours."""
    assert said.code in {0, 1, 3}, said
    assert "Traceback" not in said.out + said.err, said
    assert "internal" not in said.err.lower(), said
    assert said.out.strip() if said.code != 1 else said.err.strip(), said


def _harmless(figure: Figure, repeated: set[float]) -> bool:
    return figure.bare_year or abs(figure.written) in repeated
