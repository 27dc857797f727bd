"""Long messages: a request with a story around it, of which one sentence is read.

Which sentence asks for something is told by what was learned of messages that ask for a change, and by how far its
reading is trusted; whoever confirms the plan sees which sentence it was made from.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.operating.instructing import Reading, read
from tablewright.analyst.operating.instructing.intent import leaning_of
from tablewright.analyst.operating.instructing.trusting import sum_of, trust_of
from tablewright.analyst.operating.scene import Scene
from tablewright.data.base import ValueLookup

_LONG = 30
"""Number of words from which on a message may tell a story."""
_ENDS = frozenset(".!?。！？")
_READ = 3
"""So many sentences are read, those that sound most like an instruction."""
_LEAST = 3
"""A sentence of fewer words asks for nothing that could be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A reading of one sentence of a longer message."""

    sentence: str
    reading: Reading


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, which end with their mark or their line."""
    found: list[str] = []
    start = 0
    tokens = tokenize(text)
    for at, token in enumerate(tokens):
        until = tokens[at + 1].start if at + 1 < len(tokens) else len(text)
        between = text[token.end : until]
        if "\n" in between or (token.norm in _ENDS and (between or not token.norm.isascii() or until == len(text))):
            found.append(text[start : token.end].strip())
            start = token.end
    return [part for part in (*found, text[start:].strip()) if part]


async def read_story(text: str, scene: Scene, values: ValueLookup) -> Told | None:
    """Return the sentence of a long message whose reading is trusted most; None if there is none, or no story."""
    if sum(token.kind != "mark" for token in tokenize(text)) < _LONG:
        return None
    parts = [part for part in sentences(text) if sum(token.kind != "mark" for token in tokenize(part)) >= _LEAST]
    if len(parts) < 2:
        return None
    best: tuple[float, Told] | None = None
    for part in sorted(parts, key=leaning_of, reverse=True)[:_READ]:
        reading = await read(part, scene, values)
        if reading is None or trust_of(reading) == "declined":
            continue
        likely = sum_of(reading)
        if best is None or likely > best[0]:
            best = likely, Told(sentence=part, reading=reading)
    return best and best[1]
