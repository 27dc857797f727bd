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

_NAMES = (
    r"(?:(?:api|access|secret|private|signing|account|shared)[\s_-]?key|pass(?:word|wd|phrase|code)|pwd|token|secret"
    r"|credentials?|authorization|tw_session|密码|口令|密钥|秘钥|令牌)"
)
_VALUE = (
    r"(?:\\+\"(?:\\{3,}\"|(?!\\+\").)+"  # a quotation within one, whose own quotation marks have more backslashes
    r"|\"(?:\\.|[^\"\\\n])+|'(?:\\.|[^'\\\n])+"
    r"|(?!(?:none|null|true|false)\b|(?:bearer\s+)?\*\*\*)(?:(?:basic|digest|token)\s+)?[^\s\"',&;，。；、）)}\]<>\\]+)"
)
_FOLLOWED = r"\s,;:)\]}\"'<>，。；"
_SECRETS = (
    # What stands between the lines of a key, whether or not its end is there.
    re.compile(r"(?P<kept>-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)(?:(?!-----END ).)+", re.DOTALL),
    # A password in an address may have any character but the one that ends it; digits before a path are a port.
    re.compile(
        rf"(?P<kept>://(?!\[)[^/?#\s:\"']{{0,200}}:)(?!\d{{1,5}}(?:[/?#{_FOLLOWED}]|$))"
        r"(?:[^\s/?#\"'<>]{1,200}(?=@)|[^\s@\"'<>]{1,200}(?=@))"
    ),
    re.compile(r"(?P<kept>\bbearer\s+)(?!\*\*\*)[^\s\"'@,&\\]{4,}", re.IGNORECASE),
    # Keys that one knows by how they begin; `tw_` and `sk-` begin words and names too.
    re.compile(
        r"(?<![A-Za-z0-9_-])(?P<kept>tw_(?=[\w-]*[A-Z0-9-])|sk-|tvly-|glpat-|xox[a-z]-|pypi-|github_pat_|gh[oprsu]_"
        r"|gsk_|hf_(?=\w*[A-Z0-9])|npm_(?=\w*[A-Z0-9])|[rs]k_(?:live|test)_)[\w-]{8,}"
    ),
    re.compile(r"(?<![A-Za-z0-9])(?P<kept>AKIA|ASIA)[A-Z0-9]{12,}|(?<![A-Za-z0-9])(?P<google>AIza)[\w-]{30,}"),
    re.compile(r"(?<![A-Za-z0-9])(?P<kept>eyJ)[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]*)?"),
    re.compile(rf"(?P<kept>[?&](?:sig|signature|x-amz-signature|key)=){_VALUE}", re.IGNORECASE),
    re.compile(rf"(?P<kept>{_NAMES}(?:\\*[\"'])?[^\S\n]*[=:：][^\S\n]*){_VALUE}", re.IGNORECASE),
    re.compile(r"(?P<kept>(?:密码|口令|密钥|令牌)[是为]\s*)[!-~]{3,}"),
)
"""In each, what is `kept` (or the beginning of a key of its own) says what the secret was for."""
_NAME = re.compile(rf"{_NAMES}\Z", re.IGNORECASE)


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
    for secrets in _SECRETS:
        text = secrets.sub(_covered, text)
    return text


def redact_named(name: str, value: object) -> object:
    """Return `value`, which stands under `name`, without secrets: a text under the name of a secret is one."""
    if not isinstance(value, str):
        return value
    return "***" if value and _NAME.search(name) else redact(value)


def _covered(found: re.Match[str]) -> str:
    kept = next(part for part in found.groups() if part is not None)
    value = found[0][len(kept) :]
    opened = re.match(r"\\*[\"']", value)
    return f"{kept}{opened[0] if opened else ''}***"


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
    return {name: redact_named(name, value) for name, value in line.items()}
