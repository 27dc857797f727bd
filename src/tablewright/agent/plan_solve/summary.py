"""The answer of a plan: what the model wrote, with the files that it names, and where its numbers come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablewright.agent.code.provenance import provenance
from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.naming import is_name_of
from tablewright.domain.run import Run
from tablewright.domain.task import StepFacts

OPENS, CLOSES = "<files>", "</files>"


@dataclass(slots=True)
class FilesHeldBack:
    """Takes an answer piece by piece, and gives what comes before the names of its files."""

    _taken: str = ""
    _shown: int = 0

    def feed(self, piece: str) -> str:
        """Take the next piece; return the further text to show."""
        self._taken += piece
        at = self._taken.find(OPENS)
        upto = at if at >= 0 else len(self._taken) - _begun(self._taken)
        text = self._taken[:upto]
        new = text[self._shown :] if at < 0 else text.rstrip()[self._shown :]
        self._shown += len(new)
        return new


def _begun(text: str) -> int:
    """Return how many characters at the end of `text` may open the names of files, with the blanks before them."""
    for length in range(min(len(OPENS) - 1, len(text)), 0, -1):
        if text.endswith(OPENS[:length]):
            return length + len(text[:-length]) - len(text[:-length].rstrip())
    return len(text) - len(text.rstrip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a model wrote in the end: the text, and the names of the files that matter."""

    text: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, written: str) -> Summary:
        """Read it."""
        text, opened, rest = written.partition(OPENS)
        names = rest.partition(CLOSES)[0].splitlines() if opened else []
        return cls(text=text.strip(), names=tuple(name.strip(" -*`\t") for name in names if name.strip()))


def answer_of(summary: Summary, done: Sequence[Run], *, question: str, stopped_by: str | None) -> Answer:
    """Return the answer of a plan whose tasks were `done`.

    Files that are named, else those whose names stand in the text, else all.
    """
    answers = [child.answer for child in done if child.answer is not None]
    results = [answer.result for answer in answers if answer.result is not None]
    tables = [answer.table for answer in answers if answer.table is not None]
    return Answer(
        text=summary.text,
        outcome="completed",
        result=results[-1] if len(done) == 1 and results else None,
        table=tables[-1] if tables else None,
        charts=tuple(chart for answer in answers for chart in answer.charts),
        files=_files(summary, [file for answer in answers for file in answer.files]),
        sources=provenance(summary.text, _outputs(answers), question),
        stopped_by=stopped_by,
    )


def files_of(done: Iterable[Run]) -> tuple[ArtifactRef, ...]:
    """Return the files that tasks have made, each once."""
    made = [file for child in done if child.answer is not None for file in child.answer.files]
    return tuple({file.id: file for file in made}.values())


def _files(summary: Summary, made: Sequence[ArtifactRef]) -> tuple[ArtifactRef, ...]:
    known = {file.id: file for file in made}
    named = [
        file
        for name in summary.names
        for file in reversed([*known.values()])
        if file.name == name or is_name_of(file.name, name)
    ]
    said = [file for file in known.values() if file.name in summary.text]
    return tuple({file.id: file for file in named or said or known.values()}.values())


def _outputs(answers: Sequence[Answer]) -> dict[str, StepFacts]:
    """Return the numbers that the answers of tasks have from steps, by these steps."""
    numbers: dict[str, list[str]] = {}
    for answer in answers:
        for source in answer.sources:
            if source.step_id is not None:
                numbers.setdefault(source.step_id, []).append(answer.text[source.start : source.end])
    return {step_id: StepFacts(name=step_id, code="", text="\n".join(found)) for step_id, found in numbers.items()}
