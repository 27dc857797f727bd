"""Names of what is computed, in the language of the question."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from tablewright.analyst.grammar.semantics import KeyPart, MeasurePart
from tablewright.analyst.plan import Col, Math
from tablewright.domain.language import Language


@cache
def phrases(language: Language) -> dict[str, str]:
    """Return the phrases with which readings are said in a language, by their names."""
    found: dict[str, str] = {}
    for name in ("phrases.json", "phrases_of_offers.json"):
        text = files(__package__).joinpath("lexicon", name).read_text(encoding="utf-8")
        found.update(json.loads(text)[language])
    return found


class Names:
    """Names the columns of results; `taken` are those of the table, which no measure may have."""

    def __init__(self, language: Language, taken: frozenset[str]) -> None:
        self.language = language
        self._phrases = phrases(language)
        self._taken = taken

    def say(self, name: str, **words: str) -> str:
        """Return a phrase, filled."""
        return self._phrases[name].format(**words)

    def count(self) -> str:
        """Return the name of a number of rows."""
        name = self.say("count")
        return name if name not in self._taken else self.free(self.say("count_rows"))

    def measure(self, part: MeasurePart) -> str:
        """Return the name of a measure."""
        if part.kind == "rows":
            return self.count()
        if part.kind == "aggregate":
            return self.free(self.say(part.function, column=_called(part)))
        other = part.below.name if isinstance(part.below, Col) else ""
        return self.free(self.say(part.kind, column=part.column, other=other))

    def end(self, which: str, column: str) -> str:
        """Return the name of the least (`min`) or the greatest (`max`) value of a column."""
        return self.free(self.say(which, column=column))

    def key(self, part: KeyPart) -> str:
        """Return the name of a key."""
        return part.column if part.unit is None else self.say("unit", unit=self.say(part.unit), column=part.column)

    def free(self, name: str) -> str:
        """Return a name that no column of the table has."""
        while name in self._taken:
            name = f"{name}_"
        return name


def _called(part: MeasurePart) -> str:
    """Return what is measured, by the name of its column; a product of two columns is neither of them."""
    match part.of:
        case Math(op="*", left=Col(name=left), right=Col(name=right)):
            return f"{left} × {right}"
        case _:
            return part.column
