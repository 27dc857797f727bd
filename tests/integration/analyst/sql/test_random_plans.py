"""Random plans give the same rows through pandas, DuckDB, PostgreSQL, SQLite and MariaDB."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from tests.integration.analyst.conftest import Interpreter, interpreter
from tests.integration.analyst.sql.agreement import agree
from tests.integration.analyst.sql.engines import Engine, embedded, mariadb, postgres
from tests.integration.analyst.sql.random_plans import chained, plans
from tests.integration.analyst.sql.random_tables import SALES, STAFF, Row, tables
from tests.support.databases import postgres_url
from tests.support.mariadb import mariadb_socket

from tablewright.analyst.plan import Relation

__all__ = ["interpreter", "mariadb_socket", "postgres_url"]
QUIET = list(HealthCheck)


@pytest.fixture(scope="module")
def engines(postgres_url: str) -> Iterator[list[Engine]]:
    with postgres(postgres_url) as server:
        yield [embedded("duckdb"), embedded("sqlite"), server]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plans")


@settings(max_examples=25, deadline=None, suppress_health_check=QUIET, derandomize=True, database=None)
@given(relation=plans(), sales=tables(SALES), staff=tables(STAFF, most=5))
def test_a_plan_gives_the_same_rows_everywhere(
    relation: Relation,
    sales: tuple[Row, ...],
    staff: tuple[Row, ...],
    engines: list[Engine],
    folder: Path,
    interpreter: Interpreter,
) -> None:
    agree(relation, {"sales": sales, "staff": staff}, engines, folder, interpreter)


@settings(max_examples=10, deadline=None, suppress_health_check=QUIET, derandomize=True, database=None)
@given(relation=chained(), sales=tables(SALES), staff=tables(STAFF, most=5))
def test_a_chain_of_joins_gives_the_same_rows_everywhere(
    relation: Relation,
    sales: tuple[Row, ...],
    staff: tuple[Row, ...],
    engines: list[Engine],
    folder: Path,
    interpreter: Interpreter,
) -> None:
    agree(relation, {"sales": sales, "staff": staff}, engines, folder, interpreter)


@pytest.mark.long
@settings(max_examples=1500, deadline=None, suppress_health_check=QUIET, database=None)
@given(relation=plans(), sales=tables(SALES), staff=tables(STAFF, most=5))
def test_many_plans_give_the_same_rows_everywhere(
    relation: Relation,
    sales: tuple[Row, ...],
    staff: tuple[Row, ...],
    engines: list[Engine],
    more_engines: list[Engine],
    folder: Path,
    interpreter: Interpreter,
) -> None:
    agree(relation, {"sales": sales, "staff": staff}, [*engines, *more_engines], folder, interpreter)


@pytest.fixture(scope="module")
def more_engines(mariadb_socket: Path) -> Iterator[list[Engine]]:
    with mariadb(mariadb_socket) as server:
        yield [server]
