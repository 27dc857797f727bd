"""Shared strings: runs, phonetic guides, empty items, cut texts, and parts that never end what they begin."""

from __future__ import annotations

import pytest

from tablewright.workbook.package.strings import SharedStrings, plain_text

MANY = 1_000_000


def part(*items: bytes) -> bytes:
    return b"<sst>" + b"".join(items) + b"</sst>"


def test_a_text_is_its_runs_without_phonetic_guides() -> None:
    runs = b'<si><r><rPr><b/></rPr><t xml:space="preserve">\xe8\xaa\xb2 </t></r><r><t>&amp;</t></r>'
    guide = b'<rPh sb="0" eb="1"><t>KA</t></rPh><phoneticPr fontId="1"/></si>'
    strings = SharedStrings(part(b"<si><t>a</t></si>", runs + guide, b"<si><t>b</t></si>"))
    assert [strings[at] for at in range(-1, 4)] == ["", "a", "課 &", "b", ""]


@pytest.mark.parametrize("empty", [b"<si/>", b"<si />", b"<si></si>", b"<si><t/></si>", b'<si><t xml:space="x"/></si>'])
def test_an_empty_item_keeps_its_place(empty: bytes) -> None:
    strings = SharedStrings(part(b"<si><t>a</t></si>", empty, b"<si>\n<t>b</t></si>"))
    assert [strings[at] for at in range(3)] == ["a", "", "b"]


def test_a_text_is_cut_after_so_many_letters() -> None:
    strings = SharedStrings(
        part(b"<si><t>" + b"&#x4e2d;\xe4\xb8\xad" * 9 + b"</t></si>", b"<si><t>ab</t></si>"), longest=4
    )
    assert [strings[0], strings[1]] == ["中中中中", "ab"]
    assert plain_text(b"<r><t>abc</t></r><r><t>defg</t></r>", 5) == "abcde"


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "damaged",
    [b"<si><t>" * MANY, b"<si><t>x</t>" + b"<rPh>" * MANY + b"</si>", b"<si " * MANY,
     b"<si>" + b"<t " * MANY + b"</si>"],
)  # fmt: skip
def test_a_part_that_never_ends_what_it_begins_is_read_in_one_pass(damaged: bytes) -> None:
    strings = SharedStrings(part(b"<si><t>a</t></si>", damaged))
    assert strings[0] == "a"
    assert strings[1] in {"", "x"}
