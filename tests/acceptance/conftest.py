"""The whole product, as a person has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.commands import Commands, service
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


@pytest.fixture(scope="session")
def served(scrubbed_environment: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a service that all tests of the page share: starting and ending one takes 8 s. Each test
    begins conversations of its own."""
    del scrubbed_environment
    with service(tmp_path_factory.mktemp("service")) as url:
        yield url


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    """Return a small table."""
    path = tmp_path / "sales.csv"
    path.write_text(SALES, encoding="utf-8")
    return path
