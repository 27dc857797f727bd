"""The child processes in which database files are opened, and built: killed when they exceed their limits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tablewright.data.child import Child
from tablewright.data.lane import Lane
from tablewright.data.turns import Turns
from tablewright.domain.scope import acting_scope
from tablewright.errors import CallerError, DatabaseFailed, DatabaseSlow, ReadersUnavailable

WARM = ("tablewright.data.sql.embedded",)
IDLE_S = 60.0
GRACE_S = 2.0
MEMORY_BYTES = 1024**3


class QueryChildren:
    """Runs operations on database files in up to `size` child processes; further callers wait for their turn.

    A call that is cancelled, takes too long or needs too much memory ends its child process.
    """

    def __init__(self, *, size: int = 2, memory_bytes: int = MEMORY_BYTES, idle_s: float = IDLE_S) -> None:
        self._turns = Turns(size)
        self._lane = Lane(WARM, idle_s=idle_s)
        self._memory_bytes = memory_bytes
        self._busy: set[Child] = set()

    async def call(self, operation: str, path: Path, arguments: Mapping[str, Any], *, limit_s: float) -> bytes:
        """Run `operation`, a `module:function` that takes `(path, **arguments)`, and return its bytes.

        Raises the `CallerError` of the operation; `DatabaseSlow`; `DatabaseFailed` if the process crashed or ran out
        of memory; `ReadersUnavailable`.
        """
        given = {"operation": operation, "path": str(path), "arguments": dict(arguments)}
        limits = {"memory_bytes": self._memory_bytes, "timeout_s": limit_s + GRACE_S}
        request = json.dumps({**given, **limits}).encode()
        scope = acting_scope()
        owner = "" if scope is None else f"{scope.tenant}:{scope.owner}"
        async with self._turns.turn(owner, 0):
            child = await self._lane.take()
            self._busy.add(child)
            try:
                answer = await child.ask(request, limit_s + GRACE_S)
            except TimeoutError as error:
                await child.kill()
                raise DatabaseSlow(limit_s=limit_s) from error
            except ConnectionError as error:
                await child.kill()
                raise DatabaseFailed("database_crashed") from error
            except BaseException:
                await asyncio.shield(child.kill())
                raise
            finally:
                self._busy.discard(child)
            self._lane.keep(child)
        return _result(answer)

    async def stop(self) -> None:
        """End the child processes; calls in progress fail."""
        await asyncio.gather(self._lane.stop(), *(child.kill() for child in [*self._busy]))


def _result(answer: bytes) -> bytes:
    head, _, body = answer.partition(b"\n")
    told = json.loads(head)
    if told.get("ok"):
        return body
    kinds = {kind.code: kind for kind in _kinds(CallerError)}
    kind = kinds.get(told["code"])
    if kind is None:
        raise ReadersUnavailable(words=told["code"])
    raise kind(told["detail"], field=told["field"], **told["params"])


def _kinds(base: type[CallerError]) -> Iterator[type[CallerError]]:
    yield base
    for kind in base.__subclasses__():
        yield from _kinds(kind)
