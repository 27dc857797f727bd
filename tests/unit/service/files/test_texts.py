"""Which files are taken as texts: by their names, and by how they begin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.service.files.texts import is_text

LONG = "合计" * 40_000


@pytest.mark.parametrize(
    ("name", "content", "taken"),
    [
        ("sums.sql", b"SELECT 1", True),
        ("Clean.PY", "print('合计')".encode("gb18030"), True),
        ("sums.sql", "SELECT '合计'".encode("utf-16"), True),
        ("sums.sql", b"a" + LONG.encode(), True),
        ("sums.sql", b"\x7fELF\0\0\x01", False),
        ("empty.py", b" \n", False),
        ("a.sh", b"ls", False),
        ("a.csv", b"a,b", False),
    ],
)
def test_code_and_statements_are_taken(tmp_path: Path, name: str, content: bytes, *, taken: bool) -> None:
    (tmp_path / "stored").write_bytes(content)
    assert is_text(tmp_path / "stored", name) == taken
