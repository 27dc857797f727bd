"""The memory of an agent with tools: its transcript, and what follows from it. Pure.

The transcript is the state: whoever goes on after an interruption reads from it what is to be done next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tablewright.domain.language import Language
from tablewright.domain.message import Message, TextPart, ToolCallPart, ToolResultPart
from tablewright.models.window import shortened
from tablewright.models.work_prompt import is_next_step


@dataclass(slots=True)
class Conversation:
    """Messages so far; the work itself begins with the last question or task among them."""

    messages: list[Message]

    @property
    def own(self) -> Sequence[Message]:
        """What was said since the question or the task."""
        asked = [place for place, message in enumerate(self.messages) if _asks(message)]
        return self.messages[asked[-1] + 1 :] if asked else self.messages

    @property
    def turns(self) -> int:
        """How many turns the model has taken for this question or task."""
        return sum(message.role == "assistant" for message in self.own)

    @property
    def pending(self) -> tuple[ToolCallPart, ...]:
        """The calls of the model's last turn that have no result yet."""
        last = self._last_turn
        if last is None:
            return ()
        made = {
            part.call_id
            for message in self.messages[last:]
            for part in message.parts
            if isinstance(part, ToolResultPart)
        }
        calls = (part for part in self.messages[last].parts if isinstance(part, ToolCallPart))
        return tuple(call for call in calls if call.call_id not in made)

    @property
    def conclusion(self) -> str | None:
        """What the model wrote last, if it called nothing with it."""
        last = self.messages[-1] if self.messages else None
        if last is None or last.role != "assistant" or not self.own:
            return None
        return None if any(isinstance(part, ToolCallPart) for part in last.parts) else last.text

    @property
    def call_ids(self) -> frozenset[str]:
        """The ids of all calls."""
        parts = (part for message in self.messages for part in message.parts)
        return frozenset(part.call_id for part in parts if isinstance(part, ToolCallPart))

    @property
    def _last_turn(self) -> int | None:
        places = [place for place, message in enumerate(self.messages) if message.role == "assistant"]
        return places[-1] if places else None


def without_tools(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the conversation alone: without results and calls of tools and without the loop's own turns.

    Of a turn with calls, what the model wrote beside them stays.
    """
    kept: list[Message] = []
    for message in messages:
        if message.role == "tool" or is_next_step(message):
            continue
        parts = tuple(part for part in message.parts if not isinstance(part, ToolCallPart | ToolResultPart))
        if parts == message.parts:
            kept.append(message)
        elif text := message.text.strip():
            kept.append(Message(role=message.role, parts=(TextPart(text=text, origin="output"),)))
    return tuple(kept)


def clipped(messages: Iterable[Message], chars: int, language: Language) -> tuple[Message, ...]:
    """Return the messages with results of tools cut to about `chars` characters."""
    return tuple(
        Message(
            role=message.role,
            parts=tuple(
                replace(part, text=shortened(part.text, chars, language)) if isinstance(part, ToolResultPart) else part
                for part in message.parts
            ),
        )
        for message in messages
    )


def record_lines(messages: Iterable[Message], chars: int, language: Language) -> str:
    """Return what was said and done, a line per message, each cut to about `chars` characters."""
    lines: list[str] = []
    for message in messages:
        if is_next_step(message):
            continue
        calls = " ".join(f"[{part.name}]" for part in message.parts if isinstance(part, ToolCallPart))
        results = "\n".join(part.text for part in message.parts if isinstance(part, ToolResultPart))
        words = "\n".join(text for text in (message.text.strip(), calls, results) if text)
        lines.append(f"role:{message.role} content:{shortened(words, chars, language)}")
    return "\n".join(lines)


def _asks(message: Message) -> bool:
    return message.role == "user" and any(part.origin == "user" for part in message.parts)
