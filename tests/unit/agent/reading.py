"""Reads a turn in pieces and joins neighbouring parts, so that readings can be compared."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.agent.blocks import CodePiece, Found, SegmentReady, StepSeen, Words
from tablewright.agent.segments import SegmentReader


def read(pieces: Iterable[str]) -> list[Found]:
    reader = SegmentReader()
    found = [part for piece in pieces for part in reader.feed(piece)]
    found.extend(reader.finish())
    return joined(found)


def joined(parts: Iterable[Found]) -> list[Found]:
    whole: list[Found] = []
    for part in parts:
        last = whole[-1] if whole else None
        if isinstance(part, Words) and isinstance(last, Words):
            whole[-1] = Words(text=last.text + part.text)
        elif isinstance(part, CodePiece) and isinstance(last, CodePiece) and part.key == last.key:
            whole[-1] = CodePiece(key=part.key, text=last.text + part.text)
        else:
            whole.append(part)
    return whole


def block(*lines: str) -> str:
    return "\n".join(("<|begin_code|>", *lines, "<|end_code|>"))


def segments(found: Iterable[Found]) -> list[tuple[str | None, str]]:
    return [(part.name, part.code) for part in found if isinstance(part, SegmentReady)]


def steps(found: Iterable[Found]) -> list[str | None]:
    return [part.name for part in found if isinstance(part, StepSeen)]


def words(found: Iterable[Found]) -> str:
    return "".join(part.text for part in found if isinstance(part, Words))
