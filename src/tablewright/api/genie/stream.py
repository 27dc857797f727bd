"""Follows a run and gives the frames of a fold, the last of which comes whatever happens."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import aclosing
from typing import Protocol, TypeVar, cast

from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.domain.run import OpenRequest
from tablewright.domain.scope import Scope
from tablewright.errors import TablewrightError
from tablewright.service.chats.keyed import KeyedChats
from tablewright.service.chats.places import TakenTurn
from tablewright.texts.errors import error_text

log = logging.getLogger(__name__)
FrameT = TypeVar("FrameT")
MadeT_co = TypeVar("MadeT_co", covariant=True)


class Fold(Protocol[MadeT_co]):
    """What makes frames; once it has `ended`, nothing more comes of it."""

    ended: bool

    def take(self, event: Event) -> Iterator[MadeT_co]:
        """Take the next event."""
        ...

    def rests(self, requests: tuple[OpenRequest, ...]) -> Iterator[MadeT_co]:
        """End with what the run waits for."""
        ...

    def fails(self, words: str) -> Iterator[MadeT_co]:
        """End with an error."""
        ...


async def told(
    chats: KeyedChats, caller: Scope, turn: TakenTurn, fold: Fold[FrameT], first: Iterable[FrameT] = (), seen: int = 0
) -> AsyncIterator[tuple[FrameT, int | None]]:
    """Yield the `first` frames, then those of the events after `seen`.

    The number of an event stands with its last frame only, so that who comes back with it misses none.
    """
    try:
        for frame in first:
            yield frame, None
        async with aclosing(cast(AsyncGenerator[Event], chats.follow(caller, turn))) as events:
            async for event in events:
                frames = list(fold.take(event))
                for number, frame in enumerate(frames if event.seq > seen else (), start=1):
                    yield frame, event.seq if number == len(frames) else None
        for frame in fold.rests(() if fold.ended else await chats.waits_for(caller, turn)):
            yield frame, None
    except TablewrightError as error:
        for frame in fold.fails(words_of(error, turn.run.language)):
            yield frame, None
    except Exception:
        log.exception("a run could not be followed")
        for frame in fold.fails(words_of(TablewrightError(), turn.run.language)):
            yield frame, None


def words_of(error: TablewrightError, language: Language) -> str:
    """Return an error in words."""
    return error_text(error.code, language, error.params)
