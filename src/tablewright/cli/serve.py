"""`tablewright serve`."""

from __future__ import annotations

import argparse
import asyncio
import errno
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

import uvicorn

from tablewright.api.access import Access
from tablewright.api.connections import ConnectionLimits, Connections, affordable, raise_descriptor_limit
from tablewright.api.guarded_http import guarded_http
from tablewright.asgi import access_for, application
from tablewright.bootstrap.build import build, data_dir_of
from tablewright.bootstrap.stores import BLOBS_FOLDER
from tablewright.cli.configuration import configured
from tablewright.cli.exits import Exit
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.errors import PortInUse, SettingsInvalid, TablewrightError
from tablewright.service.api_keys import ApiKeys
from tablewright.service.app import App
from tablewright.service.samples import make_demo
from tablewright.settings.tree import ServerSettings, Settings
from tablewright.telemetry import configure
from tablewright.texts.catalogue import text
from tablewright.texts.errors import describe

ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104  # displayed instead
ACCEPTED_AT_ONCE = 128
"""The event loop accepts so many connections before any of them is counted."""
log = logging.getLogger(__name__)


def run(arguments: argparse.Namespace, announcement: str = "cli_ready") -> int:
    """Serve until a signal arrives; a second Ctrl-C exits without waiting."""
    flags = {"server.host": arguments.host, "server.port": arguments.port}
    settings = configured(arguments, **flags).settings
    keys = ApiKeys(data_dir_of(settings))
    access = access_for(settings.server.host, keys, settings.server.allowed_hosts, settings.genie.origins)
    configure(level=settings.log.level, form=settings.log.format)
    listening = bind(settings.server.host, settings.server.port)
    url = f"http://{shown_host(settings.server.host)}:{listening.getsockname()[1]}"
    try:
        return asyncio.run(
            _serve(settings, access, listening, arguments, text(announcement, arguments.language, url=url))
        )
    except KeyboardInterrupt:
        return Exit.STOPPED


async def _serve(
    settings: Settings, access: Access, listening: socket.socket, arguments: argparse.Namespace, announcement: str
) -> int:
    """Open the application first, so that errors in opening it are reported as for any command."""
    async with _opened(settings, arguments.language, demo=arguments.demo) as app:
        connections = _connections(settings.server)
        config = uvicorn.Config(
            application(nullcontext(app), access, sse=settings.mcp.sse, stateless=settings.mcp.stateless),
            http=guarded_http(connections),
            callback_notify=connections.sweep,
            timeout_notify=1,
            backlog=ACCEPTED_AT_ONCE,
            log_config=None,
            access_log=settings.log.level == "debug",
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=max(int(settings.server.shutdown_timeout), 1),
        )
        server = AnnouncingServer(config, announcement)
        signal.signal(signal.SIGTERM, lambda *_: None)  # the server handles the signal, then re-raises it
        await server.serve(sockets=[listening])
        return Exit.DONE if server.started else Exit.FAILED


def _connections(settings: ServerSettings) -> Connections:
    total = affordable(raise_descriptor_limit(), settings.connections)
    if total < settings.connections:
        log.warning(
            "%d connections at once instead of %d: more descriptors may not be open", total, settings.connections
        )
    return Connections(
        ConnectionLimits(
            total=total,
            per_client=min(settings.connections_per_client, total),
            headers_s=settings.header_timeout,
            idle_s=settings.idle_timeout,
        )
    )


class AnnouncingServer(uvicorn.Server):
    """Prints the announcement as soon as it is listening."""

    def __init__(self, config: uvicorn.Config, announcement: str) -> None:
        super().__init__(config)
        self._announcement = announcement

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce."""
        await super().startup(sockets)
        if self.started:
            print(self._announcement, flush=True)


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to `host`.

    Raises `PortInUse`, or `SettingsInvalid` for an address this machine does not have.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(port=port) from error
        raise SettingsInvalid(words=str(error.strerror), source="server", setting=f"{host}:{port}") from error
    return listening


def shown_host(host: str) -> str:
    """Return `host` as it appears in a URL that a person can open."""
    shown = ANYWHERE.get(host, host)
    return f"[{shown}]" if ":" in shown and not shown.startswith("[") else shown


@asynccontextmanager
async def _opened(settings: Settings, language: Language, *, demo: bool) -> AsyncIterator[App]:
    async with build(settings) as app:
        if demo:
            await make_demo(app, Scope())
        telling = asyncio.create_task(_tell(app, language))
        try:
            yield app
        finally:
            telling.cancel()


async def _tell(app: App, language: Language) -> None:
    """Print which model and sandbox the service uses, once the sandbox has started or failed to start, and whether
    stored files are missing."""
    found = await app.look_for_blobs()
    if found.missing:
        lost = {"count": found.missing, "checked": found.checked, "path": str(app.data_dir / BLOBS_FOLDER)}
        log.error("%d of %d stored files that were looked for are missing", found.missing, found.checked)
        print(text("doctor_blobs_missing", language, **lost), file=sys.stderr)
        print(f"  → {text('doctor_blobs_missing_remedy', language, **lost)}", file=sys.stderr)
    try:
        await app.sandbox.ready()
    except TablewrightError as error:
        log.error("the sandbox did not start: %s", error)  # noqa: TRY400  # the message is sufficient
        print(describe(error, language), file=sys.stderr)
        return
    hint = {"model": app.default_model, "level": app.sandbox.level().name, "folder": app.data_dir}
    print(text("cli_ready_hint", language, **hint), flush=True)
