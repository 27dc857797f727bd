"""Reads one code block line by line and splits it into segments."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from tablewright.agent.stream.lexer import LexerState, advance, closes, next_line, parses
from tablewright.models.dialogue import CodeTags

_CONTINUING = ("else", "elif", "except", "finally")
_CONTINUES = re.compile(rf"[ \t]|(?:{'|'.join(_CONTINUING)})\b")
_UNDECIDED = ("#", "`", "<")
"""First characters of lines that need more text to be told apart: annotations, fences, tags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """More text outside the code blocks."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockStart:
    """A code block begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAnnotation:
    """A step is announced. `key` identifies it within the turn; `name` is None for code without an annotation."""

    key: int
    name: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePiece:
    """More code of the step `key`."""

    key: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentReady:
    """A complete segment: the code of step `key`, without its annotation.

    `also` are steps announced within it; `end` is its end position in the text read.
    """

    key: int
    name: str | None
    code: str
    end: int
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockEnd:
    """The block has ended, with its end tag if `closed`. `empty` are steps announced in a block without any code."""

    closed: bool
    empty: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InventedOutput:
    """The model wrote a tag of outputs or errors, which only the system writes: nothing from there on counts."""


Found = Prose | BlockStart | StepAnnotation | CodePiece | SegmentReady | BlockEnd | InventedOutput
"""What reading a turn yields, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consumed:
    """How much text was consumed, and whether that ended the block."""

    used: int
    block_ended: bool = False


class StepNumbers:
    """Numbers the steps of a turn from 0."""

    def __init__(self) -> None:
        self._count = itertools.count()

    def new(self) -> int:
        """Return the next key."""
        return next(self._count)


@dataclass(slots=True, kw_only=True)
class _Held:
    """A line held back until the next code: blank, a comment, or an annotation (`key`, `name`)."""

    line: str
    key: int | None = None
    name: str | None = None

    @property
    def cuts(self) -> bool:
        return self.key is not None and not self.line.startswith((" ", "\t"))


@dataclass(slots=True, kw_only=True)
class _Open:
    """The segment being written."""

    key: int
    name: str | None
    code: list[str] = field(default_factory=list[str])
    also: list[int] = field(default_factory=list[int])
    end: int = 0


class BlockReader:
    """Reads a block, from after its begin tag to its end."""

    def __init__(self, tags: CodeTags, keys: StepNumbers) -> None:
        self._tags = tags
        self._keys = keys
        self._annotation = _annotation(tags.step_annotation)
        self._place = LexerState()
        self._held: list[_Held] = []
        self._open: _Open | None = None
        self._streamed: int | None = None

    def read(self, rest: str, offset: int, found: list[Found], *, final: bool) -> Consumed:
        """Read as much as possible of the first line of `rest`, which is at position `offset` of the turn."""
        line, newline, _ = rest.partition("\n")
        others = (self._tags.code_begin, self._tags.output, self._tags.error)
        if self._streamed is None and not self._place.quote and line.lstrip().startswith(others):
            self._end(found, closed=False)
            return Consumed(used=0, block_ended=True)
        tag, certain = self._find_end(line, whole=final or bool(newline))
        if tag >= 0:
            self._line(line[:tag], offset, found)
            self._end(found, closed=True)
            return Consumed(used=tag + len(self._tags.code_end), block_ended=True)
        if newline:
            self._line(line, offset, found)
            return Consumed(used=len(line) + 1)
        if final:
            self._line(line, offset, found)
            self._end(found, closed=False)
            return Consumed(used=len(line), block_ended=True)
        if self._is_code(line[:certain]):
            self._stream(line[:certain], found)
        return Consumed(used=0)

    def _find_end(self, line: str, *, whole: bool) -> tuple[int, int]:
        """Return where the end tag begins (-1 if it does not), and how much of the line is certainly code."""
        tag = self._tags.code_end
        at = line.find(tag)
        while at >= 0:
            quote = advance(self._place, line[:at]).quote
            if not quote or (whole and not closes(quote, line[at + len(tag) :])):
                return at, at
            if not whole:
                return -1, at
            at = line.find(tag, at + len(tag))
        return -1, len(line) - overlap(line, tag)

    def _is_code(self, part: str) -> bool:
        """Return whether a line that begins with `part` is certainly code."""
        if self._streamed is not None:
            return True
        if self._place.quote:
            return bool(part)
        begin = part.lstrip()[:1]
        return bool(begin) and begin not in _UNDECIDED and not any(word.startswith(part) for word in _CONTINUING)

    def _line(self, line: str, offset: int, found: list[Found]) -> None:
        """Process a complete line."""
        stripped = line.strip()
        if self._streamed is None and not self._place.quote:
            if self._place.at_statement and stripped.startswith("```"):
                return
            if not stripped or stripped.startswith("#"):
                self._hold(line, found)
                return
        segment = self._stream(line, found)
        segment.end = offset + len(line)
        self._place = next_line(self._place, line)
        self._streamed = None

    def _hold(self, line: str, found: list[Found]) -> None:
        held = _Held(line=line)
        if annotation := self._annotation.fullmatch(line):
            held.key, held.name = self._keys.new(), annotation["name"]
            found.append(StepAnnotation(key=held.key, name=held.name))
        self._held.append(held)

    def _stream(self, line: str, found: list[Found]) -> _Open:
        """Add what is new in a line of code; `line` is its beginning or all of it."""
        if self._streamed is None:
            segment = self._segment_for(line, found)
            self._write(segment, [line], found)
        else:
            segment = self._open or self._segment_for(line, found)
            if more := line[self._streamed :]:
                segment.code.append(more)
                found.append(CodePiece(key=segment.key, text=more))
        self._streamed = len(line)
        return segment

    def _segment_for(self, line: str, found: list[Found]) -> _Open:
        """Return the segment that `line`, a new line of code, belongs to, placing the held lines before it."""
        held, self._held = self._held, []
        cut = next((place for place, each in enumerate(held) if each.cuts), len(held))
        segment = self._open
        if segment is not None:
            if cut == len(held) or _CONTINUES.match(line) or not parses("".join(segment.code)):
                segment.also.extend(_keys(held))
                self._write(segment, [each.line for each in held], found)
                return segment
            self._ready(segment, held[:cut], found)
            held = held[cut:]
        self._open = segment = self._begin(held, found)
        lines = itertools.dropwhile(lambda text: not text.strip(), (each.line for each in held if not each.cuts))
        self._write(segment, lines, found)
        return segment

    def _begin(self, held: list[_Held], found: list[Found]) -> _Open:
        """Open a segment for the last annotation held; earlier ones are announced within it."""
        named = next((each for each in reversed(held) if each.cuts), None)
        if named is None or named.key is None:
            key = self._keys.new()
            found.append(StepAnnotation(key=key, name=None))
            return _Open(key=key, name=None, also=_keys(held))
        return _Open(key=named.key, name=named.name, also=[key for key in _keys(held) if key != named.key])

    def _write(self, segment: _Open, lines: Iterable[str], found: list[Found]) -> None:
        for line in lines:
            text = f"\n{line}" if segment.code else line
            segment.code.append(text)
            if text:
                found.append(CodePiece(key=segment.key, text=text))

    def _ready(self, segment: _Open, after: list[_Held], found: list[Found]) -> None:
        """Finish a segment, including the comments that directly follow it."""
        lines = [each.line for each in after]
        while lines and not lines[-1].strip():
            lines.pop()
        segment.also.extend(_keys(after))
        self._write(segment, lines, found)
        code = "".join(segment.code)
        found.append(
            SegmentReady(key=segment.key, name=segment.name, code=code, end=segment.end, also=tuple(segment.also))
        )

    def _end(self, found: list[Found], *, closed: bool) -> None:
        held, segment = self._held, self._open
        self._held, self._open = [], None
        if segment is None:
            found.append(BlockEnd(closed=closed, empty=tuple(_keys(held))))
            return
        cut = next((place for place, each in enumerate(held) if each.cuts), len(held))
        segment.also.extend(_keys(held[cut:]))
        self._ready(segment, held[:cut], found)
        found.append(BlockEnd(closed=closed))


def overlap(text: str, tag: str) -> int:
    """Return the length of the longest suffix of `text` that is a proper prefix of `tag`."""
    return next((size for size in range(min(len(text), len(tag) - 1), 0, -1) if text.endswith(tag[:size])), 0)


def _keys(held: list[_Held]) -> list[int]:
    return [each.key for each in held if each.key is not None]


def _annotation(mark: str) -> re.Pattern[str]:
    """Return a pattern for lines that announce a step; it allows blanks around the sign and a full-width colon."""
    word = mark.lstrip("# \t").rstrip()
    colon = "[:：]" if word.endswith(":") else ""
    return re.compile(
        rf"[ \t]*#+[ \t]*{re.escape(word.removesuffix(':') if colon else word)}{colon}[ \t]*(?P<name>\S.*?)\s*"
    )
