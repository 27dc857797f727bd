"""The database in memory passes the conformance suite."""

from __future__ import annotations

import pytest

from tablewright.data.sql.base import Database
from tablewright.data.sql.conformance import EXAMPLE, DatabaseConformance
from tablewright.data.sql.memory import memory_database


class TestMemory(DatabaseConformance):
    @pytest.fixture
    def database(self) -> Database:
        return memory_database(";\n".join(EXAMPLE))

    @pytest.fixture
    def slow(self) -> str:
        counting = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000)"
        return f"{counting} SELECT COUNT(*) FROM n"
