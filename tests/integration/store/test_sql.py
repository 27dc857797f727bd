"""The store in a database is a store: on SQLite, and on PostgreSQL."""

from __future__ import annotations

import pytest

from tablewright.store.conformance import StoreConformance
from tablewright.store.sql import SqlStore


class TestSqlite(StoreConformance):
    @pytest.fixture
    def store(self, sqlite_store: SqlStore) -> SqlStore:
        return sqlite_store


class TestPostgres(StoreConformance):
    @pytest.fixture
    def store(self, postgres_store: SqlStore) -> SqlStore:
        return postgres_store
