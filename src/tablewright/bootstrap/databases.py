"""Users' databases: their drivers, the parser and the child processes are loaded with the first one that is opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tablewright.bootstrap.loader import OPEN_DATABASE, PRIMARY_DATABASE, QUERY_CHILDREN, SEALER, load
from tablewright.data.sql.address import Address
from tablewright.data.sql.base import Database, SourceFile
from tablewright.domain.ids import Clock
from tablewright.service.databases.connections import ConnectionPolicy, Connections, DatabaseOpeners
from tablewright.settings.tree import DatabasesSettings
from tablewright.store.base import Store

if TYPE_CHECKING:
    from tablewright.data.sql.children import QueryChildren
    from tablewright.store.sealing import Sealer


class LazyDatabases:
    """Opens databases; `stop` ends the processes in which database files are read."""

    def __init__(self, policy: ConnectionPolicy | None = None) -> None:
        self._policy = policy or ConnectionPolicy()
        self._children: QueryChildren | None = None

    def connections(self, store: Store, data_dir: Path, clock: Clock) -> Connections:
        """Return the use cases of connections."""
        openers = DatabaseOpeners(at=self._at, over=self._over)
        return Connections(store, LazySealer(data_dir), openers, clock, self._policy)

    async def stop(self) -> None:
        """End the child processes."""
        if self._children is not None:
            await self._children.stop()
            self._children = None

    def _at(self, address: Address) -> Database:
        return cast(Database, load(OPEN_DATABASE)(address, self._started()))

    def _over(self, files: Sequence[SourceFile]) -> Database:
        return cast(Database, load(PRIMARY_DATABASE)(files, self._started()))

    def _started(self) -> QueryChildren:
        if self._children is None:
            self._children = cast("QueryChildren", load(QUERY_CHILDREN)())
        return self._children


class LazySealer:
    """Implements `Secrets`; the library is loaded with the first secret."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def seal(self, secret: str, purpose: str) -> str:
        return self._sealer().seal(secret, purpose)

    def open(self, sealed: str, purpose: str) -> str:
        return self._sealer().open(sealed, purpose)

    def _sealer(self) -> Sealer:
        return cast("Sealer", load(SEALER)(self._folder))


def databases_of(settings: DatabasesSettings) -> LazyDatabases:
    """Return what opens users' databases."""
    folders = tuple(folder.expanduser().absolute() for folder in settings.folders)
    return LazyDatabases(ConnectionPolicy(hosts=settings.hosts, folders=folders))
