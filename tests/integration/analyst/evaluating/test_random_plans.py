"""Random plans give the same rows in the process as through pandas."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from tests.integration.analyst.conftest import Interpreter
from tests.integration.analyst.evaluating.agreement import agree
from tests.integration.analyst.sql.random_plans import plans
from tests.integration.analyst.sql.random_tables import SALES, STAFF, Row, tables

from tablewright.analyst.plan import Relation

QUIET = list(HealthCheck)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plans")


@pytest.mark.long
@settings(max_examples=1500, deadline=None, suppress_health_check=QUIET, database=None)
@given(relation=plans(), sales=tables(SALES), staff=tables(STAFF, most=5))
def test_many_plans_give_the_same_rows(
    relation: Relation, sales: tuple[Row, ...], staff: tuple[Row, ...], folder: Path, interpreter: Interpreter
) -> None:
    agree(relation, {"sales": sales, "staff": staff}, folder, interpreter)
