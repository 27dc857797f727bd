"""Words that mean columns and cells which they do not repeat."""

from __future__ import annotations

import pytest

from tablewright.analyst.linking.columns import ColumnName, column_names
from tablewright.analyst.linking.loose import loose_columns
from tablewright.analyst.linking.loose_values import loose_values
from tablewright.analyst.linking.mentions import ValueMention
from tablewright.analyst.linking.spelling import spelled
from tablewright.analyst.linking.stems import stem
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.linking.values import TextColumn
from tablewright.domain.dataset import ColumnFacts, ColumnKind

_KINDS: dict[str, ColumnKind] = {
    "Repaired by": "text", "Collected": "date", "Balance due": "number", "Hull no": "text", "Fee": "number",
    "送修时间": "datetime", "展厅": "text", "舱位": "text", "月租金": "number",
}  # fmt: skip


def _names() -> tuple[ColumnName, ...]:
    return column_names([ColumnFacts(name=name, kind=kind) for name, kind in _KINDS.items()])


def _columns(question: str) -> set[tuple[str, str]]:
    return {(one.column, one.how) for one in loose_columns(tokenize(question), _names(), _KINDS)}


def _cells(question: str, *cells: str) -> list[ValueMention]:
    return loose_values(tokenize(question), (TextColumn(column="c", values=cells),), set())


@pytest.mark.parametrize(
    ("said", "others"),
    [
        ("cancel", ("cancelled", "canceled", "cancellation", "cancelations", "cancels")),
        ("join", ("joined", "joiners", "joining")),
        ("pay", ("paid", "payment", "payments", "payer")),
        ("collect", ("collected", "collection", "collector")),
    ],
)
def test_words_of_a_family_have_one_stem(said: str, others: tuple[str, ...]) -> None:
    assert {stem(word) for word in others} == {stem(said)}


def test_a_stem_is_never_shorter_than_three_letters() -> None:
    assert stem("bed") == "bed"
    assert stem("sing") == "sing"


@pytest.mark.parametrize(
    ("question", "column", "how"),
    [
        ("who does the repairs", "Repaired by", "stem"),
        ("how many collections", "Collected", "stem"),
        ("what do they owe", "Balance due", "concept"),
        ("哪天送修的", "送修时间", "part"),
        ("最多的是几厅", "展厅", "part"),
        ("哪个舱最满", "舱位", "part"),
        ("一共收了多少钱", "月租金", "concept"),
    ],
)
def test_words_mean_columns_loosely(question: str, column: str, how: str) -> None:
    assert (column, how) in _columns(question)


def test_money_is_not_said_of_columns_of_text() -> None:
    assert {column for column, _ in _columns("total takings")} == {"Fee", "月租金"}


@pytest.mark.parametrize(
    ("question", "cells", "meant", "how"),
    [
        ("how many cancelations", ("Cancelled", "Kept"), ("Cancelled",), "stem"),
        ("how many jabs", ("Vaccination", "Dental"), ("Vaccination",), "concept"),
        ("女孩有几个", ("男", "女"), ("女",), "concept"),
        ("中班有几个", ("中一班", "中二班", "大一班", "大二班", "小一班"), ("中一班", "中二班"), "part"),
        ("3班有几个", ("初一(3)班", "初一(4)班", "初一(5)班"), ("初一(3)班",), "part"),
        ("郑老师的课", ("郑海", "冯远", "何静"), ("郑海",), "part"),
    ],
)
def test_words_mean_cells_loosely(question: str, cells: tuple[str, ...], meant: tuple[str, ...], how: str) -> None:
    assert [(tuple(value for _, value in one.places), one.how) for one in _cells(question, *cells)] == [(meant, how)]


def test_what_most_cells_share_means_none_of_them() -> None:
    assert not _cells("哪个街道", "东风街道", "西湖街道", "北山街道")


def test_words_that_name_a_cell_are_not_linked_again() -> None:
    column = TextColumn(column="c", values=("Cancelled",))
    assert not loose_values(tokenize("cancelations"), (column,), {(0, 1)})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("how mnay parcels", "many"),
        ("the parcles sent", "parcels"),
        ("a cancelltaion", "cancellation"),
        ("the recieved ones", "received"),
    ],
)
def test_typing_errors_are_corrected(written: str, meant: str) -> None:
    known = {"how", "many", "parcel", "sent", "cancellation", "received"}
    tokens, typos = spelled(tokenize(written), known, frozenset(map(stem, known)))
    assert [tokens[place].lemma for place in typos] == [tokenize(meant)[0].lemma]


@pytest.mark.parametrize("written", ["the boat", "deadest", "sending", "in Marny"])
def test_other_words_are_no_typing_errors(written: str) -> None:
    known = {"beat", "dearest", "sent", "send", "the", "many", "in"}
    assert not spelled(tokenize(written), known, frozenset(map(stem, known)))[1]


def test_a_name_of_several_header_rows_is_known_by_its_last() -> None:
    columns = [ColumnFacts(name="Stay / Nights", kind="integer"), ColumnFacts(name="Stay / Guest", kind="text")]
    assert [name.plain for name in column_names(columns)] == [("night",), ("guest",)]
