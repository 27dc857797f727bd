from __future__ import annotations

from tablewright.domain.table import Table
from tablewright.tools.execution.step_digest import StepDigest, written

TABLE = Table(columns=("a",), rows=((1,), (None,)), total_rows=30)


def test_printed_pieces_stay_together() -> None:
    told = StepDigest(language="en")
    told.printed("12")
    told.printed("34\n")
    told.value("5")
    assert told.words() == "1234\n5"


def test_a_table_shown_beside_its_printed_form_is_told_once() -> None:
    told = StepDigest(language="en")
    told.value("   a\n0  1")
    told.table(TABLE, result=False)
    assert told.words() == "   a\n0  1"


def test_result_is_told_where_nothing_else_shows_it() -> None:
    told = StepDigest(language="en")
    told.table(Table(columns=("result",), rows=((7,),), total_rows=1), result=True)
    assert told.words() == "result =\n| result |\n| --- |\n| 7 |"
    told.printed("7\n")
    assert told.words() == "7\n"


def test_a_long_table_tells_how_much_is_left_out() -> None:
    assert written(TABLE, "en") == "| a |\n| --- |\n| 1 |\n|  |\n… 28 more rows"
    assert written(TABLE, "zh", rows=1).endswith("| 1 |\n……还有 29 行")


def test_cells_cannot_break_the_table() -> None:
    table = Table(columns=("a",), rows=(("x|y\nz" + "w" * 200,),), total_rows=1)
    assert written(table, "en").count("\n") == 2
    assert "x\\|y z" in written(table, "en")
