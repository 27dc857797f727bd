"""The whole product, as a person has it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.commands import Commands
from tests.support.databases import postgres_url

__all__ = ["postgres_url"]

SALES = """city,product,amount
Beijing,tea,120
Shanghai,tea,80
Beijing,coffee,30.5
Guangzhou,tea,
"""


@pytest.fixture
def commands(tmp_path: Path) -> Commands:
    """Return commands that run in an empty folder."""
    return Commands(folder=tmp_path)


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    """Return a small table."""
    path = tmp_path / "sales.csv"
    path.write_text(SALES, encoding="utf-8")
    return path
