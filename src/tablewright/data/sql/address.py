"""Addresses of databases: a URL, or the path of a database file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from tablewright.data.sql.base import Dialect
from tablewright.errors import ConnectionInvalid

SCHEMES: Mapping[str, Dialect] = {
    "postgresql": "postgres",
    "postgres": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "sqlite": "sqlite",
    "duckdb": "duckdb",
}
SUFFIXES = frozenset({".db", ".sqlite", ".sqlite3", ".duckdb"})
"""How the names of database files end."""
OPTIONS = frozenset({"host", "sslmode", "sslrootcert", "unix_socket", "charset"})
"""What may stand after the `?` of a URL; `host` and `unix_socket` name the folder or the path of a socket."""
PORTS: Mapping[Dialect, int] = {"postgres": 5432, "mysql": 3306}
SQLITE_MAGIC = b"SQLite format 3\0"
DUCKDB_MAGIC = b"DUCK"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a database is: a server, or a file (`path`). The password appears in no text made of it."""

    dialect: Dialect
    host: str = ""
    port: int | None = None
    database: str = ""
    user: str = ""
    password: str = field(default="", repr=False)
    path: Path | None = None
    options: Mapping[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        if self.path is not None:
            return str(self.path)
        where = self.host or self.options.get("host") or self.options.get("unix_socket", "")
        return f"{where}:{self.port or PORTS[self.dialect]}/{self.database}"

    def without_secrets(self, words: str) -> str:
        """Return what a server or a driver said, without the password."""
        return words.replace(self.password, "***") if self.password else words


def is_address(word: str) -> bool:
    """Return whether a word is the URL of a database, or the path of a database file."""
    return (word.partition("://")[0].lower() in SCHEMES and "://" in word) or Path(word).suffix.lower() in SUFFIXES


def address_of(word: str) -> Address:
    """Read the URL of a database or the path of a database file. Raises `ConnectionInvalid`."""
    if "://" not in word:
        return _file(Path(word), None)
    try:
        parts = urlsplit(word)
        port = parts.port
    except ValueError as error:
        raise ConnectionInvalid("connection_address") from error
    dialect = SCHEMES.get(parts.scheme.lower())
    if dialect is None:
        raise ConnectionInvalid("connection_scheme", known=", ".join(SCHEMES))
    if dialect in {"sqlite", "duckdb"}:
        return _file(Path(unquote(parts.path.removeprefix("/"))), dialect)
    options = dict(parse_qsl(parts.query))
    if unknown := sorted(options.keys() - OPTIONS):
        raise ConnectionInvalid("connection_option", name=unknown[0], known=", ".join(sorted(OPTIONS)))
    host = unquote(parts.hostname or "")
    if not host and not options.keys() & {"host", "unix_socket"}:
        raise ConnectionInvalid("connection_host_missing")
    return Address(
        dialect=dialect,
        host=host,
        port=port,
        database=unquote(parts.path.removeprefix("/")),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        options=options,
    )


def _file(path: Path, dialect: Dialect | None) -> Address:
    path = path.expanduser()
    try:
        with path.open("rb") as file:
            start = file.read(16)
    except OSError as error:
        raise ConnectionInvalid("connection_file_missing", name=path.name) from error
    if start == SQLITE_MAGIC or not start:
        found: Dialect = "sqlite"
    elif start[8:12] == DUCKDB_MAGIC:
        found = "duckdb"
    else:
        raise ConnectionInvalid("connection_file_kind", name=path.name)
    if dialect not in {None, found}:
        raise ConnectionInvalid("connection_file_kind", name=path.name)
    return Address(dialect=found, path=path.absolute())
