"""What `doctor` looks for is what the page is made of."""

from __future__ import annotations

from tablewright.api.page_files import KINDS
from tablewright.bootstrap.checks import PAGE


def test_every_file_that_the_page_needs_is_looked_for() -> None:
    assert set(PAGE) == {name for name in KINDS if not name.endswith(".svg")}
