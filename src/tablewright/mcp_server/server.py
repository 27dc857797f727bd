"""The MCP server: provides the tools over standard input and output or over HTTP."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from fastmcp import FastMCP
from fastmcp.server.dependencies import get_http_request
from fastmcp.server.http import StarletteWithLifespan
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.types import ToolAnnotations
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablewright import __version__
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope as Owner
from tablewright.mcp_server.arguments import ArgumentsChecked
from tablewright.mcp_server.builtin_tools import BuiltinTool
from tablewright.mcp_server.lazy import MESSAGES_PATH, PATH, SSE_PATH, HttpOptions
from tablewright.mcp_server.schemas import AnalysisOut, PreviewOut
from tablewright.mcp_server.tools import Speaker, TableTools
from tablewright.service.app import App
from tablewright.service.files.sources import Caller
from tablewright.tools.providers import BUILTIN_SPECS

OWNER = "tablewright.scope"
"""The key in the ASGI scope under which the guard stores the scope that a request acts in."""
GONE = "tablewright.gone"
"""The key in the ASGI scope for the event that signals that the client has disconnected."""
INSTRUCTIONS = (
    "Tools for tables: analyze_data answers questions about a workbook or text table with figures from executed code, "
    "table_operation makes a new table and writes it to a file, get_preview_data shows what a table looks like. "
    "run_python, file_reader, web_search and web_reader are single tools for an agent of your own."
)


def create_server(app: Callable[[], App], speaker: Callable[[], Speaker]) -> FastMCP:
    """Create the server. Each call asks `app` for the application and `speaker` for whom it speaks."""
    _log_with_us()
    # key steps are sent as log notifications, which the newest protocol revision deprecates
    warnings.filterwarnings("ignore", "The logging capability is deprecated", category=MCPDeprecationWarning)
    server = FastMCP("tablewright", instructions=INSTRUCTIONS, version=__version__, mask_error_details=True)
    server.add_middleware(ArgumentsChecked(lambda: speaker().language))
    tools = TableTools(app, speaker)
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=True)
    writing = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
    server.tool(tools.analyze_data, output_schema=AnalysisOut.model_json_schema(), annotations=reading)
    server.tool(tools.table_operation, annotations=writing)
    server.tool(tools.get_preview_data, output_schema=PreviewOut.model_json_schema(), annotations=reading)
    for spec in BUILTIN_SPECS:
        server.add_tool(BuiltinTool.offered(spec, app, speaker))
    _announce_tools_alone(server)
    return server


def _announce_tools_alone(server: FastMCP) -> None:
    """Take back what the library announces of its own accord: there are no resources and no prompts to list."""
    handlers = server._mcp_server._request_handlers  # noqa: SLF001  # the library has no way to leave these out
    for method in [name for name in handlers if name.startswith(("resources/", "prompts/"))]:
        del handlers[method]


def _log_with_us() -> None:
    """Have the library log through the root logger, without repeating what it sends to clients."""
    library = logging.getLogger("fastmcp")
    library.handlers[:] = []
    library.propagate = True
    library.setLevel(logging.WARNING)
    logging.getLogger("fastmcp.server.context.to_client").setLevel(logging.WARNING)
    logging.getLogger("fastmcp.server.server").addFilter(is_worth_logging)
    logging.getLogger("mcp").setLevel(logging.WARNING)


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Return whether a library record is worth logging.

    Errors without a traceback only repeat what a tool returned to its caller.
    """
    return record.levelno < logging.ERROR or bool(record.exc_info)


async def serve_stdio(app: App, language: Language) -> None:
    """Serve the parent process over standard input and output until it disconnects; it may name any local file."""
    speaker = Speaker(caller=Caller(scope=Owner(), local=True), language=language)
    await create_server(lambda: app, lambda: speaker).run_stdio_async(show_banner=False)


class HttpFaces:
    """The HTTP transports of the tools. `routes` maps exact paths to applications, usable while `opened` is entered.

    The guard in front has admitted the request and stored its owner in the ASGI scope under `OWNER`.
    """

    def __init__(self, options: HttpOptions, language: Callable[[Scope], Language]) -> None:
        self._app: App | None = None
        self._language = language
        server = create_server(self._opened_app, self._speaker)
        hosts = ["*"] if options.hosts is None else list(options.hosts)
        origins = ["*"] if options.hosts is None else [f"https://{host}" for host in hosts]
        guard = {"host_origin_protection": True, "allowed_hosts": hosts, "allowed_origins": origins}
        newest = server.http_app(path=PATH, stateless_http=options.stateless, **guard)  # type: ignore[arg-type]
        self._apps: dict[str, StarletteWithLifespan] = {PATH: newest}
        if options.sse:
            self._apps[SSE_PATH] = self._apps[MESSAGES_PATH] = server.http_app(
                path=SSE_PATH,
                transport="sse",
                **guard,  # type: ignore[arg-type]  # see `guard`
            )

    @property
    def routes(self) -> Mapping[str, ASGIApp]:
        """The applications by path."""
        return {path: _Owned(app) for path, app in self._apps.items()}

    @asynccontextmanager
    async def opened(self, app: App) -> AsyncIterator[None]:
        """Serve `app`: enter the lifespans of the transports."""
        self._app = app
        async with AsyncExitStack() as stack:
            for transport in dict.fromkeys(self._apps.values()):
                await stack.enter_async_context(transport.lifespan(transport))
            yield

    def _opened_app(self) -> App:
        assert self._app is not None, "a request before the application is open"
        return self._app

    def _speaker(self) -> Speaker:
        scope = get_http_request().scope
        return Speaker(caller=Caller(scope=scope[OWNER]), language=self._language(scope), gone=scope[GONE])


class _Owned:
    """Binds a session to the caller who began it, because the transports compare the user of each request with the
    session's. Also signals when a client disconnects before it has its answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        owner: Owner = scope[OWNER]
        token = AccessToken(token="-", client_id=f"{owner.tenant}/{owner.owner}", scopes=[])  # noqa: S106  # no secret
        scope["user"] = AuthenticatedUser(token)
        scope[GONE] = gone = asyncio.Event()
        answered = False

        async def received() -> Message:
            message = await receive()
            if message["type"] == "http.disconnect" and not answered:
                gone.set()
            return message

        async def sent(message: Message) -> None:
            nonlocal answered
            answered = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        await self._app(scope, received, sent)
