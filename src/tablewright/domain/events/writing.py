"""Events for what a model writes, while it writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.events.base import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingDelta(Body):
    """A piece of reasoning; concatenated in order, the pieces are the whole."""

    text: str
    type: Literal["thinking.delta"] = "thinking.delta"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDelta(Body):
    """A piece of the text for the person, without code."""

    text: str
    type: Literal["text.delta"] = "text.delta"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFinished(Body):
    """The complete text of a model's turn, ending the deltas before it."""

    text: str
    type: Literal["text.finished"] = "text.finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeDelta(Body):
    """A piece of code of the step `step_id`."""

    text: str
    type: Literal["code.delta"] = "code.delta"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFinished(Body):
    """The complete code of the step `step_id`, before that step starts."""

    code: str
    type: Literal["code.finished"] = "code.finished"


DELTAS = (ThinkingDelta, TextDelta, CodeDelta)
"""Kinds that may be merged: adjacent deltas of one kind and place become one event with their texts joined."""

WritingEvent = ThinkingDelta | TextDelta | TextFinished | CodeDelta | CodeFinished
"""What a model writes."""
