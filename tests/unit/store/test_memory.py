"""The store in memory is a store."""

from __future__ import annotations

import pytest

from tablewright.store.conformance import StoreConformance
from tablewright.store.memory import MemoryStore


class TestMemoryStore(StoreConformance):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
