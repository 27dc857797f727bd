"""A zip cut at its local headers: joined exactly, equal members shared."""

from __future__ import annotations

import zipfile
from io import BytesIO
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tablewright.workbook.parts import cuts_of, join, split

MEMBERS = st.dictionaries(st.text("abcdef/", min_size=1, max_size=8), st.binary(max_size=3000), max_size=8)


def packed(members: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


@given(st.binary(max_size=2000))
def test_any_bytes_come_back(data: bytes) -> None:
    assert join(split(data)) == data


@given(MEMBERS, st.binary(max_size=50), st.integers(0, 200))
def test_a_zip_comes_back_also_with_more_before_it_or_less_of_it(
    members: dict[str, bytes], before: bytes, cut: int
) -> None:
    whole = before + packed(members)
    assert join(split(whole)) == whole
    assert join(split(whole[: len(whole) - cut])) == whole[: len(whole) - cut]


def test_versions_share_the_members_that_are_equal() -> None:
    noise = [bytes((seed * at * at) % 251 for at in range(4000)) for seed in (3, 5, 7)]
    first = split(packed({"a": noise[0], "b": noise[1], "c": noise[2]}))
    second = split(packed({"a": noise[0], "b": b"changed" + noise[1], "c": noise[2]}))
    assert len(set(first) & set(second)) >= 2


def test_a_file_is_cut_where_its_bytes_are(tmp_path: Path) -> None:
    data = packed({"a": b"x" * 3_000, "b": b"", "c": bytes(range(256)) * 9})
    path = tmp_path / "book.zip"
    path.write_bytes(data)
    cuts = (0, *cuts_of(path), len(data))
    assert tuple(data[start:end] for start, end in pairwise(cuts)) == split(data)
    path.write_bytes(b"no zip at all" * 100)
    assert cuts_of(path) == ()
