"""Reads a turn in pieces and joins neighbouring parts, so that readings can be compared."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.agent.stream.blocks import CodePiece, Found, Prose, SegmentReady, StepAnnotation
from tablewright.agent.stream.segments import SegmentReader


def read(pieces: Iterable[str]) -> list[Found]:
    reader = SegmentReader()
    found = [part for piece in pieces for part in reader.feed(piece)]
    found.extend(reader.finish())
    return joined(found)


def joined(parts: Iterable[Found]) -> list[Found]:
    whole: list[Found] = []
    for part in parts:
        last = whole[-1] if whole else None
        if isinstance(part, Prose) and isinstance(last, Prose):
            whole[-1] = Prose(text=last.text + part.text)
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
    return [part.name for part in found if isinstance(part, StepAnnotation)]


def words(found: Iterable[Found]) -> str:
    return "".join(part.text for part in found if isinstance(part, Prose))
