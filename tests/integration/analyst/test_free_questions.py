"""Free questions about small tables with dirty cells: the right answer, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.integration.analyst.asking import Asked
from tests.integration.analyst.conftest import Interpreter

CLUBS = """Club,Town,Founded,Wins,Losses,Position,Stadium capacity,Coach
Harbour Rovers,Porto,1921,14,3,1st,"12,500",Ann Reis
Mill United,Gent,1934,11,6,3rd,8000,Piet Vos
Old Quarry,Lyon,1902,9,8,5th,"5,200",Luc Petit
Green Valley,Lyon,1950,12,4,2nd,"9,100",Ann Reis
Red Hill,Gent,1911,9,9,6th,4000,Bo Lind
North Shore,Porto,1988,10,7,4th,"7,700","Luc Petit, Bo Lind"
Last Chance,Porto,1999,1,16,12th,900,Mo Diaz
Third Way,Lyon,2001,4,12,10th,"1,100",Jo Ek
"""
GAMES = """Week,Date,Opponent,Venue,Result,Attendance
1,4 March 2019,Mill United,Home,W 3-1,900
2,11 March 2019,Old Quarry,Away,L 0-2,700
3,18 March 2019,Red Hill,Home,W 2-0,950
4,1 April 2019,Green Valley,Away,W 1-0,600
5,8 April 2019,North Shore,Home,W 4-2,1200
6,15 April 2019,Mill United,Away,L 1-3,650
7,6 May 2019,Old Quarry,Home,T 1-1,800
8,13 May 2019,Red Hill,Away,W 2-1,500
"""
TRACKS = """Track,Length,Start time
Blue Door,3:41,7:00 PM
Long Road,2:58,7:30 PM
Small Rain,5:02,7:00 PM
Red Line,2:10,8:00 PM
"""


@pytest.fixture
def clubs(tmp_path: Path, interpreter: Interpreter) -> Asked:
    return Asked(interpreter, tmp_path / "clubs.csv", CLUBS)


@pytest.fixture
def games(tmp_path: Path, interpreter: Interpreter) -> Asked:
    return Asked(interpreter, tmp_path / "games.csv", GAMES)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("did Mill United have more wins than Red Hill?", [["yes"]]),
        ("did Red Hill have more wins than Mill United?", [["no"]]),
        ("is Old Quarry in Lyon?", [["yes"]]),
        ("did Mill United place better than Old Quarry?", [["yes"]]),
    ],
)
def test_a_closed_question_is_answered_with_yes_no_or_the_side(clubs: Asked, question: str, rows: list[Any]) -> None:
    assert rows in clubs.shown(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which club has fewer losses than Green Valley?", [["Harbour Rovers"]]),
        ("how many clubs have more wins than Old Quarry?", [[4]]),
        ("who coached the club that was founded before 1905?", [["Luc Petit"]]),
        ("which has more wins, Red Hill or North Shore?", [["North Shore"]]),
    ],
)
def test_rows_are_compared_with_the_row_of_a_named_thing(clubs: Asked, question: str, rows: list[Any]) -> None:
    assert rows in clubs.shown(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which club has the worst position?", [["Last Chance"]]),
        ("what is the largest club in terms of stadium capacity?", [["Harbour Rovers"]]),
    ],
)
def test_places_are_ordered_by_their_number_and_the_best_is_the_first(
    clubs: Asked, question: str, rows: list[Any]
) -> None:
    assert rows in clubs.shown(question)


def test_a_name_listed_among_others_in_a_cell_counts(clubs: Asked) -> None:
    assert [[2]] in clubs.shown("how many clubs did Luc Petit coach?")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many games were played before april?", [[3]]),
    ],
)
def test_outcomes_and_months_are_conditions(games: Asked, question: str, rows: list[Any]) -> None:
    assert rows in games.shown(question)


@pytest.mark.parametrize(
    ("question", "length"),
    [
        ("for how many consecutive weeks did attendance increase?", 1),
    ],
)
def test_the_longest_run_is_counted_in_the_order_of_the_table(games: Asked, question: str, length: int) -> None:
    assert [[length]] in games.shown(question)


@pytest.mark.parametrize(
    "question",
    [
        "how many clubs in Porto have no floodlights?",
        "which club in Lyon has 17 sponsors?",
        'how many clubs play "walking football" in Gent?',
        "which month did most clubs lose?",
        "how many fans does Mill United have?",
        "is the capacity of Red Hill or of Gent Arena larger?",
    ],
)
def test_a_question_of_which_a_part_is_not_understood_is_declined(clubs: Asked, question: str) -> None:
    assert clubs.answer(question) is None


@pytest.mark.parametrize(
    "question", ["how many games were played in February at Gent?", "which opponent did they play last in June?"]
)
def test_a_result_that_holds_nothing_is_no_answer(games: Asked, question: str) -> None:
    assert games.answer(question) is None


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many tracks are longer than 3:00?", [[2]]),
        ("how many tracks have a length under 3:00?", [[2]]),
        ("how many bands are listed?", [[4]]),
    ],
)
def test_times_written_with_a_colon_are_conditions(
    tmp_path: Path, interpreter: Interpreter, question: str, rows: list[Any]
) -> None:
    assert rows in Asked(interpreter, tmp_path / "tracks.csv", TRACKS).shown(question)


TEAMS = """队伍,教练,排名,胜场,月份
海港队,张伟,2,14,3月
山城队,"李强、王芳",1,11,4月
老街队,李强,12,9,5月
绿谷队,王芳,3,12,6月
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("胜场连续下降了几个月？", [[2]]),
        ("除了海港队，哪些队伍的胜场超过10？", [["山城队"], ["绿谷队"]]),
        ("李强执教的队伍有哪些？", [["山城队"], ["老街队"]]),
    ],
)
def test_chinese_questions_are_read_alike(
    tmp_path: Path, interpreter: Interpreter, question: str, rows: list[Any]
) -> None:
    assert rows in Asked(interpreter, tmp_path / "teams.csv", TEAMS).shown(question)


PRICES = "Date,Open,Close,Volume\n" + "".join(
    f"{2020 + month // 12}-{month % 12 + 1:02}-{day:02},{month},{month * day},{1000 - month}\n"
    for month in range(18)
    for day in (3, 17, 28)
)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("highest monthly average close", [["2021-06"]]),
        ("What is the highest monthly average of Close?", [["2021-06"]]),
    ],
)
def test_the_first_of_the_periods_of_a_date_is_found_by_an_aggregate(
    tmp_path: Path, interpreter: Interpreter, question: str, rows: list[Any]
) -> None:
    found = Asked(interpreter, tmp_path / "prices.csv", PRICES).rows(question)
    assert [[str(cell) for cell in row] for row in found] == rows
