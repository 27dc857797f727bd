"""The number of tokens of a call: an estimate calibrated with what providers report."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tablewright.domain.message import ImagePart, Message, Part, ToolCallPart
from tablewright.models.base import BUILTIN, ModelRequest, ToolSpec, UsageSeen
from tablewright.models.image_tokens import image_tokens

MESSAGE_TOKENS = 4
CALL_TOKENS = 8
REPLY_TOKENS = 3
LONG_CHARS = 256
MOST_KNOWN = 512
"""Of so many long texts, estimates are kept."""

_CJK = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_DIGIT = re.compile(r"[0-9]")
_PUNCTUATION = re.compile(r"[^\w\s]|_")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCount:
    """A count, and the method that produced it, which is logged with it."""

    tokens: int
    method: str


class TokenCounter(Protocol):
    """Predicts, before a call, the provider's token count."""

    def count(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), *, model: str) -> TokenCount:
        """Return the tokens of a call to `model` with these messages and tools."""
        ...

    def count_text(self, text: str, *, model: str) -> TokenCount:
        """Return the tokens of a text for `model`."""
        ...

    def observe(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), *, model: str, input_tokens: int
    ) -> None:
        """Learn from a call for which the provider counted `input_tokens`."""
        ...


def estimate_text(text: str) -> float:
    """Estimate the tokens of `text`.

    Counts 0.9 per CJK character, 1/1.7 per digit, 0.75 per punctuation mark and 1/4.2 per other character.
    """
    rest = _CJK.sub("", text)
    digits = len(_DIGIT.findall(rest))
    marks = len(_PUNCTUATION.findall(rest))
    return 0.9 * (len(text) - len(rest)) + digits / 1.7 + 0.75 * marks + (len(rest) - digits - marks) / 4.2


class _Known:
    """Estimates texts; those of long ones are kept, as a conversation is counted again before each of its turns."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[str, float] = OrderedDict()

    def __call__(self, text: str) -> float:
        if len(text) < LONG_CHARS:
            return estimate_text(text)
        known = self._tokens.pop(text, None)
        self._tokens[text] = tokens = estimate_text(text) if known is None else known
        if len(self._tokens) > MOST_KNOWN:
            self._tokens.popitem(last=False)
        return tokens


class CalibratedEstimator:
    """A `TokenCounter` without a vocabulary.

    It multiplies the estimate by a moving average of reported over estimated tokens per model, in which the newest
    report has the weight `weight`.
    """

    def __init__(self, *, weight: float = 0.2) -> None:
        self._weight = weight
        self._ratios: dict[str, float] = {}
        self._text = _Known()

    def ratio(self, model: str) -> float:
        """Return the ratio of reported to estimated tokens of `model`; 1.0 before its first report."""
        return self._ratios.get(model, 1.0)

    def count(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), *, model: str) -> TokenCount:
        return self._calibrated(_estimate(messages, tools, self._text, model=model), model)

    def count_text(self, text: str, *, model: str) -> TokenCount:
        return self._calibrated(self._text(text), model)

    def observe(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), *, model: str, input_tokens: int
    ) -> None:
        estimated = _estimate(messages, tools, self._text, model=model)
        if input_tokens <= 0 or estimated < 1:
            return
        seen = min(max(input_tokens / estimated, 0.25), 4.0)
        known = self._ratios.get(model)
        self._ratios[model] = seen if known is None else known + self._weight * (seen - known)

    def _calibrated(self, estimated: float, model: str) -> TokenCount:
        method = "calibrated estimate" if model in self._ratios else "estimate"
        return TokenCount(tokens=round(estimated * self.ratio(model)), method=method)


def _estimate(
    messages: Iterable[Message],
    tools: Iterable[ToolSpec],
    text: Callable[[str], float] = estimate_text,
    *,
    model: str,
) -> float:
    spoken = sum(MESSAGE_TOKENS + sum(_part(part, text, model) for part in message.parts) for message in messages)
    known = sum(
        CALL_TOKENS + text(tool.name + tool.description + json.dumps(tool.parameters, ensure_ascii=False))
        for tool in tools
    )
    return spoken + known + REPLY_TOKENS


def _part(part: Part, text: Callable[[str], float], model: str) -> float:
    if isinstance(part, ImagePart):
        return image_tokens(part, model)
    if isinstance(part, ToolCallPart):
        return CALL_TOKENS + text(part.name + json.dumps(part.arguments, ensure_ascii=False))
    return text(part.text)


def estimated(model: str, request: ModelRequest, said: str) -> UsageSeen | None:
    """Estimate the usage of a call whose stream was closed early, after the model had written `said`.

    Returns None for a model that uses no tokens.
    """
    if model == BUILTIN:
        return None
    return UsageSeen(
        input_tokens=round(_estimate(request.messages, request.tools, model=model)),
        output_tokens=round(estimate_text(said)),
        method="estimate",
    )
