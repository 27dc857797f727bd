"""The whole product, as a person has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.commands import Commands, service
from tests.support.databases import postgres_url
from tests.support.real_model_bench import real, small_model
from tests.support.warm_start import WarmStart, warm_start

__all__ = ["postgres_url", "real", "small_model", "warm_start"]

SALES = """city,product,amount
Beijing,tea,120
Shanghai,tea,80
Beijing,coffee,30.5
Guangzhou,tea,
"""


@pytest.fixture
def commands(tmp_path: Path, warm_start: WarmStart) -> Commands:
    """Return commands that run in an empty folder. That they start from nothing is shown by those of `tests/docs`, by
    those in a terminal and by `mcp` over stdio."""
    return Commands(folder=tmp_path, warm=warm_start)


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
