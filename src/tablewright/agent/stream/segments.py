"""Reads a model's turn while it is being written: words, announced steps, code, and segments ready to run.

A pure state machine over text that arrives in arbitrary pieces: the joined parts are the same however it is split.

- A block stands between the code tags. A tag within a string that is closed on the same line is part of the code;
  anywhere else it is a tag. A block that opens within another ends that one.
- An annotation is a whole line of its own outside strings. It announces its step at once. At column 0 it also ends the
  segment before it, provided that segment parses and the next line of code is neither indented nor continues a
  statement (`else`, `elif`, `except`, `finally`); otherwise its step belongs to the segment that continues.
- The end of a block ends its last segment, whether it parses or not: the error goes back to the model.
- Code before the first annotation of a block is a segment without a name. Comments alone are not a segment.
- A tag of outputs or errors, outside a block or at the beginning of a line within one, ends the turn: a model that
  writes it is making up the output of its code.
"""

from __future__ import annotations

import io

from tablewright.agent.stream.blocks import BlockReader, BlockStart, Found, InventedOutput, Prose, StepNumbers, overlap
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags


class SegmentReader:
    """Reads one turn of a model."""

    def __init__(self, tags: CodeTags = DEFAULT_TAGS) -> None:
        self._tags = tags
        self._newlines = io.IncrementalNewlineDecoder(None, translate=True)
        self._read: list[str] = []
        self._rest = ""
        self._offset = 0
        self._block: BlockReader | None = None
        self._keys = StepNumbers()
        self._over = False

    @property
    def text(self) -> str:
        """Everything read that counts, with line ends normalized to one character."""
        return "".join(self._read)

    def feed(self, text: str) -> list[Found]:
        """Read more text; return the parts recognized in it."""
        return self._take(self._newlines.decode(text), final=False)

    def finish(self) -> list[Found]:
        """Read the end of the turn: a block still open ends here, unclosed."""
        return self._take(self._newlines.decode("", final=True), final=True)

    def _take(self, text: str, *, final: bool) -> list[Found]:
        if self._over:
            return []
        self._read.append(text)
        self._rest += text
        found: list[Found] = []
        while self._step(found, final=final):
            pass
        return found

    def _step(self, found: list[Found], *, final: bool) -> bool:
        """Read one line, tag or run of words; return False when more text is needed."""
        if self._block is None:
            return self._words(found, final=final)
        end = self._block.read(self._rest, self._offset, found, final=final)
        self._consume(end.used)
        if end.block_ended:
            self._block = None
        return end.used > 0 or end.block_ended

    def _words(self, found: list[Found], *, final: bool) -> bool:
        places = [(place, mark) for mark in self._tags.marks if (place := self._rest.find(mark)) >= 0]
        if not places:
            held = 0 if final else max(overlap(self._rest, mark) for mark in self._tags.marks)
            self._say(found, len(self._rest) - held)
            return False
        at, mark = min(places)
        self._say(found, at)
        if mark == self._tags.code_begin:
            self._consume(len(mark))
            self._block = BlockReader(self._tags, self._keys)
            found.append(BlockStart())
        elif mark == self._tags.code_end:
            self._consume(len(mark))
        else:
            self._end_here(found)
            return False
        return True

    def _end_here(self, found: list[Found]) -> None:
        self._over = True
        self._read = [self.text[: self._offset]]
        self._rest = ""
        found.append(InventedOutput())

    def _say(self, found: list[Found], length: int) -> None:
        if length:
            found.append(Prose(text=self._rest[:length]))
            self._consume(length)

    def _consume(self, length: int) -> None:
        self._rest = self._rest[length:]
        self._offset += length
