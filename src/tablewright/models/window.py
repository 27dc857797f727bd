"""What of a conversation fits into a model's window: the system message, what is pinned, and the newest. Pure.

First old results of tools are made shorter, then old exchanges are left out, a call always with its results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tablewright.domain.language import Language
from tablewright.domain.message import Message, Part, TextPart, ToolCallPart, ToolResultPart
from tablewright.errors import TokenLimitExceeded
from tablewright.models.base import ToolSpec
from tablewright.models.prompt_files import phrase
from tablewright.models.tokens import TokenCounter
from tablewright.models.work_prompt import is_next_step

SHORT_CHARS = 1_200
"""What old results are cut to before anything is left out."""
SHORTEST_CHARS = 300
"""What results are cut to before even the newest do not fit."""
MessageType = Literal["SYSTEM", "USER", "ASSISTANT", "TOOL", "UNKNOWN"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The messages of a call and their size; `left_out` messages are not among them, `shortened` ones made shorter."""

    messages: tuple[Message, ...]
    tokens: int
    method: str
    left_out: int = 0
    shortened: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRules:
    """How many tokens of `model` a call may take, with its `tools`."""

    limit_tokens: int
    counter: TokenCounter
    model: str
    language: Language
    tools: tuple[ToolSpec, ...] = ()

    def count(self, messages: Sequence[Message]) -> int:
        """Return the tokens of a call with these messages."""
        return self.counter.count(messages, self.tools, model=self.model).tokens

    @property
    def bare(self) -> int:
        """The tokens of a call without any message."""
        return self.count(())


@dataclass(slots=True, kw_only=True)
class _Unit:
    """Messages that stay or go together."""

    messages: list[Message]
    pinned: bool = False
    tokens: int = 0


def windowed(messages: Sequence[Message], rules: WindowRules) -> Window:
    """Return what of `messages` a call is made with. Raises `TokenLimitExceeded` if not even the newest fit.

    The system message, the turn with the data and the current question are pinned; what is kept begins with a turn of
    the user.
    """
    method = rules.counter.count((), model=rules.model).method
    whole = rules.count(messages)
    if whole <= rules.limit_tokens:
        return Window(messages=tuple(messages), tokens=whole, method=method)
    units = _units(messages)
    bare = rules.bare
    for unit in units:
        unit.tokens = rules.count(unit.messages) - bare
    changed = _shorten(units[:-1], rules, whole - rules.limit_tokens, SHORT_CHARS)
    left_out = _leave_out(units, rules, bare)
    changed += _shorten(units, rules, _total(units, bare) - rules.limit_tokens, SHORTEST_CHARS)
    kept = _flat(units)
    tokens = rules.count(kept)
    while tokens > rules.limit_tokens and (more := _take_oldest(units)):  # counts of single messages are rounded
        left_out += more
        kept = _flat(units)
        tokens = rules.count(kept)
    if tokens > rules.limit_tokens:
        raise _exceeded(kept, tokens, rules, bare)
    return Window(messages=kept, tokens=tokens, method=method, left_out=left_out, shortened=changed)


def _units(messages: Sequence[Message]) -> list[_Unit]:
    """Split messages: a turn of the assistant with what answers its calls is one unit, as is a question."""
    units: list[_Unit] = []
    for message in messages:
        follows = message.role == "tool" or (is_next_step(message) and bool(units))
        if follows and units and units[-1].messages[0].role == "assistant":
            units[-1].messages.append(message)
        else:
            units.append(_Unit(messages=[message], pinned=message.role == "system"))
    for unit in units:
        unit.pinned = unit.pinned or any(_has(message, "schema") for message in unit.messages)
    asked = [unit for unit in units if unit.messages[0].role == "user" and _has(unit.messages[0], "user")]
    if asked:
        asked[-1].pinned = True
    return units


def _has(message: Message, origin: str) -> bool:
    return message.role == "user" and any(part.origin == origin for part in message.parts)


def _total(units: Sequence[_Unit], bare: int) -> int:
    return bare + sum(unit.tokens for unit in units)


def _shorten(units: Sequence[_Unit], rules: WindowRules, excess: int, chars: int) -> int:
    """Cut results of tools, the oldest first, until `excess` tokens are saved; return how many messages were cut."""
    changed = 0
    for unit in units:
        for place, message in enumerate(unit.messages):
            if excess <= 0:
                return changed
            cut = _cut(message, chars, rules.language)
            if cut is not message:
                saved = rules.count((message,)) - rules.count((cut,))
                unit.messages[place], unit.tokens, excess = cut, unit.tokens - saved, excess - saved
                changed += 1
    return changed


def _leave_out(units: list[_Unit], rules: WindowRules, bare: int) -> int:
    """Take the oldest units out until the rest fits, and those that would then begin without a turn of the user."""
    left_out = 0
    while _total(units, bare) > rules.limit_tokens and (taken := _take_oldest(units)):
        left_out += taken
    return left_out


def _take_oldest(units: list[_Unit]) -> int:
    """Take the oldest unit out that may go, with what follows it before the next turn of the user.

    Returns how many messages these were.
    """
    oldest = next((unit for unit in units[:-1] if not unit.pinned), None)
    if oldest is None:
        return 0
    taken = len(oldest.messages)
    _remove(units, oldest)
    while len(units) > 1:
        first = next((unit for unit in units if unit.messages[0].role != "system"), units[-1])
        if first.messages[0].role == "user" or first is units[-1]:
            break
        taken += len(first.messages)
        _remove(units, first)
    return taken


def _remove(units: list[_Unit], gone: _Unit) -> None:
    """Remove a unit; another that is equal stays."""
    units[:] = [unit for unit in units if unit is not gone]


def _flat(units: Sequence[_Unit]) -> tuple[Message, ...]:
    return tuple(message for unit in units for message in unit.messages)


def _cut(message: Message, chars: int, language: Language) -> Message:
    if message.role not in {"tool", "user"}:
        return message
    parts = tuple(_cut_part(part, chars, language) for part in message.parts)
    return message if parts == message.parts else Message(role=message.role, parts=parts)


def _cut_part(part: Part, chars: int, language: Language) -> Part:
    result = isinstance(part, ToolResultPart) or (isinstance(part, TextPart) and part.origin in {"output", "tool"})
    if not result or not isinstance(part, ToolResultPart | TextPart):
        return part
    return replace(part, text=shortened(part.text, chars, language))


def shortened(text: str, chars: int, language: Language) -> str:
    """Return a text of about `chars` characters, with its beginning and its end."""
    left = len(text) - chars
    if left <= chars // 4:
        return text
    head = chars * 2 // 3
    return f"{text[:head]}\n{phrase('shortened', language, count=left)}\n{text[len(text) - (chars - head) :]}"


def _exceeded(kept: Sequence[Message], tokens: int, rules: WindowRules, bare: int) -> TokenLimitExceeded:
    last = max(kept, key=lambda message: rules.count((message,)) - bare, default=None)
    kinds: dict[str, MessageType] = {"system": "SYSTEM", "user": "USER", "assistant": "ASSISTANT", "tool": "TOOL"}
    return TokenLimitExceeded(
        current_tokens=tokens,
        max_tokens=rules.limit_tokens,
        exceeded_tokens=tokens - rules.limit_tokens,
        message_type="UNKNOWN" if last is None else kinds[last.role],
    )


def unpaired(messages: Sequence[Message]) -> tuple[str, ...]:
    """Return the ids of calls without their result right after them, and of results without their call."""
    open_calls: list[str] = []
    wrong: list[str] = []
    for message in messages:
        results = [part.call_id for part in message.parts if isinstance(part, ToolResultPart)]
        for call_id in results:
            if call_id in open_calls:
                open_calls.remove(call_id)
            else:
                wrong.append(call_id)
        if message.role != "tool":
            wrong += open_calls
            open_calls = [part.call_id for part in message.parts if isinstance(part, ToolCallPart)]
    return (*wrong, *open_calls)
