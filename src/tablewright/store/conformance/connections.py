"""Tests of the stored connections."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.connection import DatabaseConnection
from tablewright.errors import Conflict, NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, after, refused

SHOP = DatabaseConnection(
    name="shop", address="postgresql://reader@db:5432/shop", sealed="c2VhbGVk", created_at=after(1), created_by="ann"
)


class ConnectionsConformance:
    """Connections by tenant and name."""

    async def test_a_connection_is_the_tenants(self, store: Store) -> None:
        await store.connections.add(ANN, SHOP)
        await store.connections.add(ANN, replace(SHOP, name="a"))
        assert await store.connections.get(BOB, "shop") == SHOP
        assert [found.name for found in await store.connections.all(BOB)] == ["a", "shop"]
        assert await store.connections.all(OTHER_TENANT) == ()
        with refused(NotFound):
            await store.connections.get(OTHER_TENANT, "shop")

    async def test_a_name_is_given_once(self, store: Store) -> None:
        await store.connections.add(ANN, SHOP)
        with refused(Conflict):
            await store.connections.add(BOB, SHOP)
        await store.connections.add(OTHER_TENANT, SHOP)

    async def test_a_removed_connection_is_gone(self, store: Store) -> None:
        await store.connections.add(ANN, SHOP)
        with refused(NotFound):
            await store.connections.remove(OTHER_TENANT, "shop")
        await store.connections.remove(ANN, "shop")
        for call in (store.connections.get, store.connections.remove):
            with refused(NotFound):
                await call(ANN, "shop")
