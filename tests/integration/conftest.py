"""What the integration tests share: databases, one server for all of them."""

from __future__ import annotations

from tests.support.databases import migrated, postgres_store, postgres_url, sqlite_path, sqlite_store
from tests.support.killing import killing
from tests.support.warm_start import warm_start

__all__ = ["killing", "migrated", "postgres_store", "postgres_url", "sqlite_path", "sqlite_store", "warm_start"]
