"""What a fake model says, in no provider's format; each fake puts it into its own."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.scripted_http import Cut, Hang, Hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """A piece of text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Think:
    """A piece of reasoning; `signature` closes a block of it where the provider signs."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call whose arguments arrive in fragments of JSON."""

    call_id: str
    name: str
    fragments: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """Bytes as they are, whatever they do to the stream."""

    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Tokens as the provider counts them; `input_tokens` includes `cached_tokens`."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


Saying = Say | Think | Call | Raw | Hold | Hang | Cut
DEFAULT_COUNT = Counted(input_tokens=11, output_tokens=7)
