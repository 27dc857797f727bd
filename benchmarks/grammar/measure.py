"""Say how often the shipped weights put a right reading first, among three and among all, by suite:
`.venv/bin/python -m benchmarks.grammar.measure CANDIDATES.jsonl… [--misses N]`. Of questions that the weights were
learned from, this says little: `learn` cross-validates."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.grammar.learn import Question, questions, ranks, report, score

from tablewright.analyst.grammar.weights import weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("candidates", nargs="+", type=Path)
    parser.add_argument("--misses", type=int, default=0)
    options = parser.parse_args()
    given = questions(options.candidates)
    places = ranks(given, weights())
    print(*report(given, places), sep="\n")
    missed = [question for question in given if places[question.id] != 0]
    for question in missed[: options.misses]:
        print(_missed(question, places[question.id]))


def _missed(question: Question, place: int | None) -> str:
    best = max(range(len(question.right)), key=lambda one: score(question.features[one], weights()), default=None)
    said = "" if best is None else question.said[best]
    right = next((said for said, ok in zip(question.said, question.right, strict=True) if ok), "")
    return f"{question.id} [{place}] {question.prompt}\n    {said}\n    {right}"


if __name__ == "__main__":
    main()
