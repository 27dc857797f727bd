"""The face of workbook rounds on a service with a scripted model."""

from __future__ import annotations

import httpx2
import pytest
from tests.support.excel_bench import ExcelClient, Model, planning_parts
from tests.support.parts import FakeParts


@pytest.fixture
def model(parts: FakeParts) -> Model:
    """Return the model that plans; a test says beforehand what it writes."""
    made = Model()
    planning_parts(parts, made)
    return made


@pytest.fixture
def excel(model: Model, client: httpx2.AsyncClient) -> ExcelClient:
    """Return a client of the channel `c1`, which has a small workbook."""
    return ExcelClient(http=client)
