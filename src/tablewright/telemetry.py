"""Logging: one line per event on standard error, as JSON or for a console, with ids and without secrets.

Modules log through the standard library (`logging.getLogger(__name__)`); only `configure` decides on the format.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from structlog.typing import EventDict, Processor, WrappedLogger

_bound: ContextVar[Mapping[str, str]] = ContextVar("tablewright_log_context", default={})  # noqa: B039  # never mutated

_SECRETS = re.compile(
    r"(?P<kept>tw_|sk-|[Bb]earer\s+|(?:api[_-]?key|password|token|secret)[\"']?\s*[=:]\s*[\"']?"
    r"|://[^/\s:@]+:)[^\s\"'@,&]{4,}"
)


@contextmanager
def log_context(**ids: str) -> Iterator[None]:
    """Add ids (such as `run_id`) to every line logged within this context, including by tasks started in it."""
    token = _bound.set({**_bound.get(), **ids})
    try:
        yield
    finally:
        _bound.reset(token)


def redact(text: str) -> str:
    """Replace anything that looks like a key, a password or a token."""
    return _SECRETS.sub(lambda found: f"{found['kept']}***", text)


def quiet() -> None:
    """Disable logging: a command's output is for the person and reports its errors itself."""
    logging.getLogger().addHandler(logging.NullHandler())
    logging.disable(logging.CRITICAL)


def configure(
    *, level: str = "info", form: Literal["auto", "console", "json"] = "auto", stream: TextIO | None = None
) -> None:
    """Send all log lines of this process to `stream` (default: standard error).

    `auto` means `console` on a terminal, otherwise `json`.
    """
    import structlog  # only a service formats logs; commands start without it

    logging.disable(logging.NOTSET)
    target = stream or sys.stderr
    as_json = form == "json" or (form == "auto" and not target.isatty())
    renderer: Processor = structlog.processors.JSONRenderer(ensure_ascii=False)
    if not as_json:
        renderer = structlog.dev.ConsoleRenderer(colors=target.isatty())
    handler = logging.StreamHandler(target)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.stdlib.ExtraAdder(),
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                _add_context,
                structlog.processors.format_exc_info,
                _redact_values,
            ],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("httpx", "httpx2", "httpcore", "aiosqlite", "alembic", "sqlalchemy.engine"):
        logging.getLogger(name).setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.propagate = True


def _add_context(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    line.pop("color_message", None)
    return {**line, **_bound.get()}


def _redact_values(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    return {name: redact(value) if isinstance(value, str) else value for name, value in line.items()}
