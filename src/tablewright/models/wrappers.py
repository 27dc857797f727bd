"""Wrappers around a model that are models themselves: retries and time limits.

Bootstrap composes them with retries outermost, so each attempt has its own time limit.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from tablewright.domain.ids import Clock, SystemClock
from tablewright.errors import ModelError, ModelOverloaded, ModelTimeout
from tablewright.models.base import Model, ModelRequest, StreamPart, input_tokens_of
from tablewright.models.streams import close, closing


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often to retry, and how long to wait.

    The wait starts at `first_s` and doubles each time up to `longest_s`, less a random share of up to one half. If the
    endpoint asks for a certain time (`retry_after_s`), that is used instead; if it is more than `patience_s`, no retry
    is made.
    """

    attempts: int = 4
    first_s: float = 0.5
    longest_s: float = 20.0
    patience_s: float = 60.0

    def wait_s(self, attempt: int, error: ModelError, chance: float) -> float | None:
        """Return how long to wait after the failed `attempt` (from 1), or None to give up."""
        if not error.retryable or attempt >= self.attempts:
            return None
        asked = error.params.get("retry_after_s") if isinstance(error, ModelOverloaded) else None
        if isinstance(asked, int | float):
            return float(asked) if asked <= self.patience_s else None
        longest = min(self.first_s * 2.0 ** (attempt - 1), self.longest_s)
        return longest * (0.5 + chance / 2)


class RetryingModel:
    """Retries calls that failed with a `retryable` error, unless a part of the answer has already been passed on."""

    def __init__(
        self,
        model: Model,
        *,
        policy: RetryPolicy | None = None,
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._model = model
        self._policy = policy or RetryPolicy()
        self._clock = clock or SystemClock()
        self._chance = chance

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def input_tokens(self) -> int | None:
        return input_tokens_of(self._model)

    async def aclose(self) -> None:
        """Close the model's connections."""
        await close(self._model)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        attempt = 1
        while True:
            began = False
            try:
                async with closing(self._model.stream(request)) as parts:
                    async for part in parts:
                        began = True
                        yield part
                return
            except ModelError as error:
                wait_s = None if began else self._policy.wait_s(attempt, error, self._chance())
                if wait_s is None:
                    raise
            await self._clock.sleep(wait_s)
            attempt += 1


class TimeLimitedModel:
    """Ends a call that takes longer than its settings' `timeout_s`, or that is silent for longer than `silence_s`.

    Time that the reader takes between two parts counts towards the call, not the silence. The limits are enforced by
    the event loop: only cancellation from within ends a read that does not return.
    """

    def __init__(self, model: Model, *, silence_s: float = 90.0) -> None:
        self._model = model
        self._silence_s = silence_s

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def input_tokens(self) -> int | None:
        return input_tokens_of(self._model)

    async def aclose(self) -> None:
        """Close the model's connections."""
        await close(self._model)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + request.settings.timeout_s
        async with closing(self._model.stream(request)) as parts:
            while True:
                limit_s = min(ends_at - loop.time(), self._silence_s)
                try:
                    async with asyncio.timeout(limit_s):
                        part = await anext(parts, None)
                except TimeoutError:
                    raise ModelTimeout(model=self.name, waited_s=round(max(limit_s, 0))) from None
                if part is None:
                    return
                yield part
