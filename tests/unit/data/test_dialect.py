"""How text files are written."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.data.files.dialect import (
    Dialect,
    Encoding,
    detect_decimal,
    detect_dialect,
    detect_encoding,
    split,
)

CHINESE = "编号,城市,日期\n1,上海市浦东新区,2021年2月\n2,北京市朝阳区,2021年3月\n"


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("gb18030", "gb18030"),
        ("gbk", "gb18030"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
    ],
)
def test_the_encoding_of_chinese_text_is_told(tmp_path: Path, encoding: str, told: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(CHINESE.encode(encoding))
    found = detect_encoding(path)
    assert found == Encoding(name=told)
    assert path.read_bytes().decode(found.name).lstrip("\ufeff") == CHINESE


def test_wide_text_without_a_mark_is_told(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("id,name\n1,alpha\n2,beta\n".encode("utf-16-le"))
    assert detect_encoding(path).name == "utf-16-le"


def test_western_text_is_read_with_its_accents(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    text = "Zone;Prénom;Été\nNord;José;1\nSud;Hélène;2\nOuest;François;3\n" * 20
    path.write_bytes(text.encode("cp1252"))
    assert path.read_bytes().decode(detect_encoding(path).name) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Stadt;Wert\nKöln;1,5\nBonn;2,5\n"),
        ("cp1252", "Straße;Größe\nÄußere Mühle;3\n"),
        ("gb18030", "地区,金额\n东,1\n西a,2\n"),
        ("gb18030", "city,name\nA,王\nB,李x\n"),
        ("big5", "地區,金額\n台北,1\n高雄,2\n臺中,3\n"),
        ("shift_jis", "都市,金額\nアイウ,1\nトウキョウ,2\n大阪,3\n"),
        ("cp1251", "Город,Сумма\nМосква,1\nКазань,2\n"),
    ],
)
def test_the_encoding_of_a_few_words_is_told(tmp_path: Path, encoding: str, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    assert path.read_bytes().decode(detect_encoding(path).name) == text


def test_a_few_broken_bytes_do_not_make_utf8_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(CHINESE.encode() * 20 + b"3,\xff\xfe,x\n")
    assert detect_encoding(path) == Encoding(name="utf-8", damaged=True)


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b,c\n1,2,3\n4,5,6\n", ","),
        ("a;b;c\n1,5;2;3\n4,25;5;6\n", ";"),
        ("a\tb\n1\t2,3\n4\t5,6\n", "\t"),
        ("a|b|c\nx y|2021-01-01|3\nz|2021-01-02|6\n", "|"),
        ("time,value\n10:30,1\n10:31,2\n10:32,3\n", ","),
        ("name,when\nx,2021-01-01 10:00:00\ny,2021-01-02 11:30:00\n", ","),
        ("id    name     v\n1     alpha    3\n2     beta     4\n", r"\s+"),
        ("note\nonly, now and then\nplain words here\nand more of them\n", ","),
        ("v\n1\n2\n3\n", ","),
    ],
)
def test_the_delimiter_is_told(text: str, delimiter: str) -> None:
    assert detect_dialect(text).delimiter == delimiter


def test_quoted_delimiters_and_line_breaks_stay_in_their_cell() -> None:
    text = 'id,text\n1,"a, b\nc ""d"""\n2,e\n'
    assert list(split(text, detect_dialect(text))) == [["id", "text"], ["1", 'a, b\nc "d"'], ["2", "e"]]


def test_quotes_without_meaning_are_kept() -> None:
    text = 'size;item\n5";screen\n7";"half open\n10";panel\n'
    assert detect_dialect(text).quote is None


def test_a_backslash_before_quotes_is_told() -> None:
    text = 'id,title\n1,"say \\"hi\\" now"\n2,"plain"\n'
    dialect = detect_dialect(text)
    assert dialect.escape == "\\"
    assert list(split(text, dialect))[1] == ["1", 'say "hi" now']


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_ending_is_one(ending: str) -> None:
    text = ending.join(["a,b", "1,2", "", "3,4", ""])
    assert list(split(text, Dialect(delimiter=",", quote='"'))) == [["a", "b"], ["1", "2"], [], ["3", "4"]]


@pytest.mark.parametrize(
    ("cells", "delimiter", "decimal"),
    [
        (["1,5", "2,25", "3"], ";", ","),
        (["1.234,5", "2.000,0"], ";", ","),
        (["1.5", "2.25"], ";", None),
        (["1,234", "2,000"], ";", None),
        (["1,5", "2,5"], ",", None),
        (["x", "y"], "\t", None),
    ],
)
def test_the_decimal_sign_is_told(cells: list[str], delimiter: str, decimal: str | None) -> None:
    assert detect_decimal(cells, delimiter) == decimal


word = st.text(alphabet=st.characters(categories=["Ll", "Lu", "Lo"], max_codepoint=0x9FFF), min_size=1, max_size=6)
cell = st.one_of(word, st.integers(min_value=-999, max_value=99999).map(str), st.builds("{} {}".format, word, word))


@given(
    st.integers(min_value=2, max_value=5).flatmap(
        lambda width: st.lists(st.lists(cell, min_size=width, max_size=width), min_size=4, max_size=8)
    ),
    st.sampled_from([",", ";", "\t", "|"]),
    st.booleans(),
)
def test_what_a_csv_writer_wrote_is_split_into_the_same_cells(
    rows: list[list[str]], delimiter: str, quoted: bool
) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, quoting=csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL).writerows(rows)
    text = written.getvalue()
    dialect = detect_dialect(text)
    assert dialect.delimiter == delimiter
    assert list(split(text, dialect)) == rows
