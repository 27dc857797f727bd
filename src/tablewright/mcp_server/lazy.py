"""The tools over HTTP, loaded for the first request: their libraries take a second and thirty megabytes, and most
services are never asked for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from tablewright.bootstrap.loader import HTTP_FACES, load
from tablewright.domain.language import Language
from tablewright.service.app import App

PATH = "/mcp"
SSE_PATH = "/sse"
MESSAGES_PATH = "/messages/"


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpOptions:
    """Options of the HTTP transports. `hosts` are the accepted host names; None accepts all."""

    sse: bool = False
    stateless: bool = False
    hosts: tuple[str, ...] | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths that are served."""
        return (PATH, SSE_PATH, MESSAGES_PATH) if self.sse else (PATH,)


class Faces(Protocol):
    """The transports once they are loaded."""

    @property
    def routes(self) -> Mapping[str, ASGIApp]:
        """The applications by path, usable while `opened` is entered."""
        ...

    def opened(self, app: App) -> AbstractAsyncContextManager[None]:
        """Serve `app`."""
        ...


class LazyFaces:
    """The HTTP transports of the tools. `routes` maps exact paths to applications, usable while `opened` is entered."""

    def __init__(self, options: HttpOptions, language: Callable[[Scope], Language]) -> None:
        self._options = options
        self._language = language
        self._app: App | None = None
        self._faces: asyncio.Future[Faces] | None = None
        self._serving: asyncio.Task[None] | None = None

    @property
    def routes(self) -> Mapping[str, ASGIApp]:
        """The applications by path."""
        return {path: _LazyFace(self, path) for path in self._options.paths}

    @asynccontextmanager
    async def opened(self, opening: AbstractAsyncContextManager[App]) -> AsyncIterator[App]:
        """Enter `opening`; on exit, end the transports first, if they were loaded."""
        async with opening as self._app:
            try:
                yield self._app
            finally:
                if self._serving is not None:
                    self._serving.cancel()
                    await asyncio.gather(self._serving, return_exceptions=True)

    async def face(self, path: str) -> ASGIApp:
        """Return the application of a path, loaded by whoever asks first. Raises what prevents that, and then anew."""
        if self._faces is None or (self._faces.done() and self._faces.exception() is not None):
            assert self._app is not None, "a request before the application is open"
            self._faces = asyncio.get_running_loop().create_future()
            self._serving = asyncio.create_task(self._serve(self._app, self._faces), name="tools over HTTP")
        return (await asyncio.shield(self._faces)).routes[path]

    async def _serve(self, app: App, loaded: asyncio.Future[Faces]) -> None:
        """Load the transports and keep them open: their task groups must be left by the task that entered them."""
        try:
            faces: Faces = await asyncio.to_thread(lambda: load(HTTP_FACES)(self._options, self._language))
            async with faces.opened(app):
                loaded.set_result(faces)
                await asyncio.Event().wait()
        except Exception as error:
            if loaded.done():
                raise
            loaded.set_exception(error)


class _LazyFace:
    def __init__(self, faces: LazyFaces, path: str) -> None:
        self._faces = faces
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._faces.face(self._path))(scope, receive, send)
