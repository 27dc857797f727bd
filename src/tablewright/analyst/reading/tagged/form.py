"""The form that a question prescribes for its answer: `@name[value]`, the number of decimals, and the words allowed."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from tablewright.analyst.linking.tokens import lemmas

_TAG = re.compile(r"@\s*([A-Za-z]\w*)\s*\[([^\]]*)\]")
_FORMAT = re.compile(r"answer\s+format|回答格式|答案格式|输出格式", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<!\d)\.(?=\s|$)|\n|;|；|。|(?=\bwhere\b)|(?=@\w+\s*\[)")
_COUNTS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "two-": 2,
}
_DECIMALS = re.compile(
    r"(?:(\d+|one|two|three|four|five|six|second|third|fourth)\s*(?:decimal|digits? after)|保留\s*(\d+)\s*位"
    r"|(\d+)\s*位小数)",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\b(?:integers?|whole numbers?|nearest whole)\b|整数", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:all|each|both|every)\b[^\n]{0,30}\b(?:is|are|be)\b", re.IGNORECASE)
_OPTION = re.compile(r"[\"“'‘]([^\"”'’]{1,40})[\"”'’]")
_CHOICE = re.compile(r"(?:^|\()\s*([A-Za-z][\w -]{0,24}(?:\s*/\s*[A-Za-z][\w -]{0,24}){1,4})\s*(?:\)|$)")
_LINKING = re.compile(r"[\s,]*(?:and|or|&)?[\s,]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One tag: its name and the words of it, the decimals of a number, the words that it may be, and what the form
    says `about` it. `quoted` if the form shows its value in quotes."""

    name: str
    words: tuple[str, ...]
    placeholder: str
    decimals: int | None
    options: tuple[str, ...]
    about: str = ""
    quoted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The question proper (its first paragraph), its constraints, and the tags."""

    question: str
    constraints: str
    wanted: tuple[Wanted, ...]

    @property
    def text(self) -> str:
        """The question with its constraints."""
        return f"{self.question}\n{self.constraints}"


def answer_form(text: str) -> Form | None:
    """Return the form that a question prescribes; None if it leaves the answer free."""
    if not _TAG.search(text):
        return None
    marker = _FORMAT.search(text)
    start = marker.start() if marker else _TAG.search(text).start()  # type: ignore[union-attr]
    body, prescribed = text[:start], text[start:]
    lines = [line for line in body.strip().splitlines() if line.strip(" {}")]
    question = lines[0] if lines else ""
    constraints = "\n".join(lines[1:])
    sentences = [sentence for sentence in _SENTENCE.split(prescribed) if sentence and sentence.strip()]
    tags = dict(reversed([(name, said.strip()) for name, said in _TAG.findall(prescribed)]))
    tags = dict(reversed(tags.items()))
    words = {word for name, said in tags.items() for word in (name, _bare(said)) if word}
    wanted = [
        _wanted(
            name,
            said,
            [part for text in sentences for part in _parts(text, words) if _about(part, name, _bare(said))],
            [*sentences, constraints],
            words,
        )
        for name, said in tags.items()
    ]
    return Form(question=_numbering_dropped(question), constraints=constraints, wanted=tuple(wanted))


def _bare(placeholder: str) -> str:
    return placeholder.strip("\"'“”‘’ ")


def _parts(sentence: str, words: set[str]) -> list[str]:
    """Split a sentence about several tags into what it says about each; tags joined in a list share what follows."""
    plain = _TAG.sub(" ", sentence)
    starts = {match.start(): match.end() for word in words for match in re.finditer(_spoken_as(word), plain)}
    cuts = sorted(starts)
    parts = [plain[start:end] for start, end in itertools.pairwise([0, *cuts, len(plain)])]
    for place in range(len(parts) - 2, 0, -1):
        rest = parts[place][starts[cuts[place - 1]] - cuts[place - 1] :]
        if _LINKING.fullmatch(rest):
            parts[place] += parts[place + 1]
    return parts


def _spoken_as(word: str) -> str:
    """Return a pattern for a tag's name in quotes, or bare if something is said about it."""
    said = re.escape(word)
    return (
        rf"[\"'“‘]{said}[\"'”’]|(?<![\w\"'“‘@-]){said}(?=\s+(?:is|are|to|and|should|must|represents?|denotes?|as)\b"
        rf"|\s*,)"
    )


def _numbering_dropped(question: str) -> str:
    return re.sub(r"^\s*(?:question\s*)?\d+[.:)]\s*", "", question, flags=re.IGNORECASE)


def _wanted(name: str, said: str, about: list[str], other: list[str], words: set[str]) -> Wanted:
    own = [said, *about]
    decimals = next((found for text in own if (found := decimals_in(text) or _places_in(text)) is not None), None)
    if decimals is None:
        decimals = next((found for text in other if (found := decimals_in(text)) is not None), None)
    every = [text for text in other[:-1] if _EVERY.search(text)]
    if any(_WHOLE.search(text) and decimals_in(text) is None for text in [*own, *every]):
        decimals = 0
    options = _choice(said) or tuple(
        dict.fromkeys(
            option
            for text in own
            for option in _OPTION.findall(text)
            if option not in words and not _is_column_like(option, text)
        )
    )
    if not options:
        options = _verdicts(own) or (
            () if any(decimals_in(text) is not None for text in own) else _spoken_of(other[-1:])
        )
    return Wanted(
        name=name,
        words=lemmas(name),
        placeholder=_bare(said),
        decimals=decimals,
        options=options,
        about="\n".join(own),
        quoted=re.fullmatch(r"[\"“].+[\"”]", said) is not None,
    )


def _choice(placeholder: str) -> tuple[str, ...]:
    """Return the options of `[significant/not significant]`, `["Yes"/"No"]`."""
    match = _CHOICE.search(re.sub(r"[\"'“”‘’]", "", placeholder))
    return tuple(part.strip() for part in match.group(1).split("/")) if match else ()


def _verdicts(about: list[str]) -> tuple[str, ...]:
    """Return the unquoted words for yes and no in a text, such as True and False; empty if there are none."""
    for pair in (("True", "False"), ("Yes", "No"), ("yes", "no")):
        if any(all(re.search(rf"\b{word}\b", text) for word in pair) for text in about):
            return pair
    return ("True", "False") if any("boolean" in text.lower() for text in about) else ()


def _spoken_of(texts: list[str]) -> tuple[str, ...]:
    """Return the options that the constraints allow: `report it as either "A", "B" or "C"`."""
    for text in texts:
        for sentence in re.split(r"(?<!\d)\.(?=\s)", text):
            if re.search(r"\beither\b|\bone of\b", sentence):
                return tuple(dict.fromkeys(_OPTION.findall(sentence)))
    return ()


def _about(text: str, name: str, placeholder: str) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in (name, placeholder) if word)


def _is_column_like(option: str, sentence: str) -> bool:
    """Return whether a quoted name is mentioned as data (`values of "x"`, `the "x" column`) and so is no option."""
    said = rf"[\"'“‘]{re.escape(option)}[\"'”’]"
    spoken = re.search(rf"(?:between|(?<!one )\bof|column)\s+(?:the\s+)?{said}|{said}\s+column", sentence)
    return spoken is not None and "either" not in sentence


def _places_in(text: str) -> int | None:
    """Return the decimals of a second number, in the shortened form `and p to four`."""
    match = re.search(r"\bto\s+(one|two|three|four|five|six|\d)\b(?!\s*(?:\d|%|percent))", text)
    return None if match is None else int(match[1]) if match[1].isdigit() else _COUNTS[match[1]]


def decimals_in(text: str) -> int | None:
    """Return the number of decimals that a text prescribes, or None."""
    match = _DECIMALS.search(text)
    if match is None:
        return None
    said = next(group for group in match.groups() if group)
    return int(said) if said.isdigit() else _COUNTS[said.lower()]
