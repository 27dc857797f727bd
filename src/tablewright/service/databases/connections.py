"""The connections of a tenant: made by operators, to hosts and folders that the settings allow."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlsplit

from tablewright.data.sql.address import Address, address_of
from tablewright.data.sql.base import Database, ExploreLimits, SourceFile
from tablewright.domain.connection import DatabaseConnection
from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope
from tablewright.errors import ConnectionInvalid, DatabaseUnknown, Forbidden, NotFound, TablewrightError
from tablewright.store.base import Store

PRIMARY = "primary"
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
TEST_S = 15.0


class Secrets(Protocol):
    """The part of `store.sealing.Sealer` that connections need."""

    def seal(self, secret: str, purpose: str) -> str:
        """Return the secret sealed, as text."""
        ...

    def open(self, sealed: str, purpose: str) -> str:
        """Return what was sealed for this purpose."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseOpeners:
    """What opens databases: at an address, and over files."""

    at: Callable[[Address], Database]
    over: Callable[[Sequence[SourceFile]], Database]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionPolicy:
    """Hosts (`name` or `name:port`) and folders of database files that connections may name."""

    hosts: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionTest:
    """What came of a test: how many tables can be read, or why it failed."""

    elapsed_s: float
    tables: int = 0
    error: TablewrightError | None = None


class Connections:
    """The use cases of connections. Passwords are written, and never returned."""

    def __init__(
        self, store: Store, secrets: Secrets, openers: DatabaseOpeners, clock: Clock, policy: ConnectionPolicy
    ) -> None:
        self._store = store
        self._secrets = secrets
        self._openers = openers
        self._clock = clock
        self._policy = policy
        self._lent: dict[tuple[str, str, str], Address] = {}

    async def create(self, scope: Scope, name: str, url: str) -> DatabaseConnection:
        """Store a connection. Raises `Forbidden`, `ConnectionInvalid`, `Conflict` or `SecretsUnreadable`."""
        _require_operator(scope)
        if not NAME.fullmatch(name) or name == PRIMARY:
            raise ConnectionInvalid("connection_name", field="name")
        address = await asyncio.to_thread(address_of, url)
        self._check(address)
        purpose = _purpose(scope, name)
        sealed = await asyncio.to_thread(self._secrets.seal, address.password, purpose) if address.password else ""
        made = DatabaseConnection(
            name=name,
            address=_without_password(url)
            if address.path is None
            else f"{address.dialect}:///{quote(str(address.path))}",
            sealed=sealed,
            created_at=self._clock.now(),
            created_by=scope.owner,
        )
        await self._store.connections.add(scope, made)
        return made

    async def all(self, scope: Scope) -> tuple[DatabaseConnection, ...]:
        """Return the connections of the caller's tenant, by name."""
        return await self._store.connections.all(scope)

    async def delete(self, scope: Scope, name: str) -> None:
        """Remove a connection. Raises `Forbidden` or `NotFound`."""
        _require_operator(scope)
        await self._store.connections.remove(scope, name)

    async def test(self, scope: Scope, name: str) -> ConnectionTest:
        """Connect and list the tables. Raises `Forbidden` or `NotFound`; what goes wrong then is part of the result."""
        _require_operator(scope)
        connection = await self._store.connections.get(scope, name)
        begun = time.monotonic()
        try:
            database = await self._opened(scope, connection)
            schema = await database.explore(ExploreLimits(sample_rows=0, timeout_s=TEST_S))
        except TablewrightError as error:
            return ConnectionTest(elapsed_s=time.monotonic() - begun, error=error)
        return ConnectionTest(elapsed_s=time.monotonic() - begun, tables=len(schema.tables) + schema.left_out)

    async def open(self, scope: Scope, name: str) -> Database:
        """Return the database of a connection. Raises `DatabaseUnknown`, `ConnectionInvalid`, `SecretsUnreadable`."""
        if (lent := self._lent.get((scope.tenant, scope.owner, name))) is not None:
            return self._openers.at(lent)
        try:
            connection = await self._store.connections.get(scope, name)
        except NotFound as error:
            known = ", ".join((PRIMARY, *(one.name for one in await self.all(scope))))
            raise DatabaseUnknown(name=name, known=known) from error
        return await self._opened(scope, connection)

    def lend(self, scope: Scope, url: str) -> str:
        """Let the caller's runs in this process query the database at a raw address, which only a person at this
        machine may give; return its name for them.

        The same address has the same name each time. No connection can be called so. Blocks.
        """
        address = address_of(url)
        told = sha256(str(address).encode()).hexdigest()[:6]
        words = re.sub(r"\W+", "-", address.path.stem if address.path is not None else address.database)
        name = f"@{words[:40]}-{told}"
        self._lent[scope.tenant, scope.owner, name] = address
        return name

    def for_run(self, scope: Scope, files: Sequence[SourceFile]) -> RunDatabases:
        """Return the databases of a run: its files as `primary`, and the connections of the tenant."""
        return RunDatabases(self, scope, lambda: self._openers.over(files))

    async def _opened(self, scope: Scope, connection: DatabaseConnection) -> Database:
        address = await asyncio.to_thread(address_of, connection.address)
        self._check(address)  # the settings may have changed since it was made
        if connection.sealed:
            purpose = _purpose(scope, connection.name)
            password = await asyncio.to_thread(self._secrets.open, connection.sealed, purpose)
            address = replace(address, password=password)
        return self._openers.at(address)

    def _check(self, address: Address) -> None:
        """Raise `ConnectionInvalid` unless the settings allow the host or the folder."""
        if address.path is not None:
            place = address.path.resolve()
            if not any(place.is_relative_to(folder.resolve()) for folder in self._policy.folders):
                raise ConnectionInvalid("connection_folder_refused", field="url")
            return
        if not address.host or address.options.keys() & {"host", "unix_socket"}:
            raise ConnectionInvalid("connection_host_missing", field="url")
        host = address.host.lower()
        if not {host, f"{host}:{address.port}"} & {one.lower() for one in self._policy.hosts}:
            raise ConnectionInvalid("connection_host_refused", field="url", host=address.host)


class RunDatabases:
    """Implements `Databases` for one run. `primary` is made when it is first opened; `close` removes it."""

    def __init__(self, connections: Connections, scope: Scope, primary: Callable[[], Database]) -> None:
        self._connections = connections
        self._scope = scope
        self._make = primary
        self._primary: Database | None = None

    async def names(self) -> tuple[str, ...]:
        return (PRIMARY, *(connection.name for connection in await self._connections.all(self._scope)))

    async def open(self, name: str) -> Database:
        if name != PRIMARY:
            return await self._connections.open(self._scope, name)
        if self._primary is None:
            self._primary = self._make()
        return Kept(self._primary)

    async def close(self) -> None:
        """Release what the run's databases hold."""
        if self._primary is not None:
            await self._primary.close()


class Kept:
    """A database that stays open when a caller closes it, for the next one."""

    def __init__(self, database: Database) -> None:
        self.dialect = database.dialect
        self.explore = database.explore
        self.query = database.query

    async def close(self) -> None:
        """Do nothing: others go on using it."""


def _require_operator(scope: Scope) -> None:
    if not scope.operator:
        raise Forbidden("connection_operator")


def _purpose(scope: Scope, name: str) -> str:
    return f"connection:{scope.tenant}:{name}"


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    user = parts.username or ""
    host = (parts.netloc.rpartition("@")[2]) if "@" in parts.netloc else parts.netloc
    return parts._replace(netloc=f"{user}@{host}" if user else host, fragment="").geturl()
