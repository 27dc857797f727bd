"""A question with its mentions: which of them are taken, which are near, and how much of the text they explain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.mentions import AnyMention, Mention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token
from tablewright.domain.language import Language

M = TypeVar("M", bound=Mention)


@dataclass(slots=True, kw_only=True)
class Marked:
    """The mentions of a question in order of place. A mention that is taken is explained, and no longer offered."""

    question: str
    language: Language
    tokens: tuple[Token, ...]
    mentions: list[AnyMention]
    taken: set[int] = field(default_factory=set)

    def free(self, kind: type[M], *codes: str) -> Iterator[M]:
        """Yield the mentions of a kind that are not taken; with `codes`, only words that have one of them."""
        for place, mention in enumerate(self.mentions):
            if place in self.taken or not isinstance(mention, kind):
                continue
            if codes and not (isinstance(mention, WordMention) and mention.code in codes):
                continue
            yield mention

    def words(self, *codes: str) -> list[WordMention]:
        """Return the free lexicon words that have one of `codes`."""
        return list(self.free(WordMention, *codes))

    def has(self, code: str, value: str | None = None) -> bool:
        """Return whether the question has a word with this code (and value) anywhere, taken or not."""
        return any(
            isinstance(mention, WordMention) and mention.code == code and value in {None, mention.value}
            for mention in self.mentions
        )

    def take(self, *mentions: AnyMention | Mention | None) -> None:
        """Mark mentions as explained; None is ignored."""
        for mention in mentions:
            if mention is not None:
                self.taken.update(place for place, other in enumerate(self.mentions) if other is mention)

    def take_span(self, start: int, end: int) -> None:
        """Mark every mention within a span as explained."""
        self.taken.update(
            place for place, mention in enumerate(self.mentions) if mention.start >= start and mention.end <= end
        )

    def before(self, place: int, kind: type[M], reach: int, *codes: str) -> M | None:
        """Return the nearest free mention that ends at most `reach` tokens before `place`."""
        near = [mention for mention in self.free(kind, *codes) if mention.end <= place and place - mention.end <= reach]
        return near[-1] if near else None

    def after(self, place: int, kind: type[M], reach: int, *codes: str) -> M | None:
        """Return the nearest free mention that starts at most `reach` tokens after `place`."""
        near = [mention for mention in self.free(kind, *codes) if place <= mention.start <= place + reach]
        return near[0] if near else None

    def gap(self, start: int, end: int) -> str:
        """Return the folded text of a span, with its tokens separated by blanks."""
        return " ".join(token.norm for token in self.tokens[start:end])

    def clear(self, start: int, end: int) -> bool:
        """Return whether a span contains no comma or other break."""
        return not any(token.norm in {",", "，", ";", "；", ".", "。", "?", "？"} for token in self.tokens[start:end])

    def unexplained(self) -> list[int]:
        """Return the places of the content tokens that no taken mention covers."""
        covered = {
            token for place in self.taken for token in range(self.mentions[place].start, self.mentions[place].end)
        }
        stop = stopwords()
        return [
            place
            for place, token in enumerate(self.tokens)
            if place not in covered and token.kind != "mark" and token.lemma not in stop and token.norm not in stop
        ]

    def confidence(self) -> float:
        """Return the explained fraction of the content words, 0 to 1; words of the lexicon count half."""
        known = sum(
            _weight(token) * (0.5 if isinstance(self.mentions[place], WordMention) else 1.0)
            for place in self.taken
            for token in self.tokens[self.mentions[place].start : self.mentions[place].end]
        )
        unknown = sum(_weight(self.tokens[place]) for place in self.unexplained())
        return known / (known + unknown) if known else 0.0


def _weight(token: Token) -> float:
    if token.kind == "mark":
        return 0.0
    return 0.5 if is_han(token.norm[0]) else 1.0
