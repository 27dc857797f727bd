"""Questions about lists of results, releases and members with cells as people write them: the right answer, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.integration.analyst.asking import DECLINED, Asked
from tests.integration.analyst.conftest import Interpreter

RECORDS = """Year,Record,Label,Peak home,Peak abroad,Units sold,Sales share
1991,Clay Road,Fern,14,—,"4,100",2%
1993,Two Rooms,Fern,3,61,"21,500",14%
1993,Even Keel,Fern,8,—,"9,900",6%
1996,Harvest,Quill,1,12,"60,250",41%
1999,Low Sun,Quill,5,40,"31,000",21%
2004,Ember,Quill,9,77,"12,700",9%
2004,Last Post,Tern,22,—,"10,300",7%
"""
MEMBERS = """No.,Member,Joined,Born,Parliament,Votes,Lead scorer's tally
1,Ada Birk,1990,4 March 1951 (aged 39),North,"1,204",49-64
2,Ole Vang,1990,30 June 1948 (aged 42),South,988,51-40
3,Ida Moss,1994,9 January 1960 (aged 34),North,"1,530",38-37
4,Per Lund,1998,17 May 1963 (aged 35),East,740,60-58
5,Eva Strand,2002,2 August 1957 (aged 45),South,"1,111",44-41
"""
LAPS = """Rank,Runner,Time
1,Ann Reis,1:58
2,Bo Lind,2:01
3,Jo Ek,2:02
4,Mo Diaz,2:05
"""


CUPS = """Team,County,Gold,Silver,Bronze,Pick
Arden,Dale,3,4,2,1
Bexley,Dale,1,0,5,4
Corby,Moss,2,6,1,3
Derwent,Dale,0,1,1,2
Total,,40,50,60,
"""


@pytest.fixture
def cups(tmp_path: Path, interpreter: Interpreter) -> Asked:
    return Asked(interpreter, tmp_path / "cups.csv", CUPS)


@pytest.fixture
def records(tmp_path: Path, interpreter: Interpreter) -> Asked:
    return Asked(interpreter, tmp_path / "records.csv", RECORDS)


@pytest.fixture
def members(tmp_path: Path, interpreter: Interpreter) -> Asked:
    return Asked(interpreter, tmp_path / "members.csv", MEMBERS)


@pytest.fixture
def laps(tmp_path: Path, interpreter: Interpreter) -> Asked:
    return Asked(interpreter, tmp_path / "laps.csv", LAPS)


def test_the_last_of_a_year_is_the_one_listed_last(records: Asked) -> None:
    assert [["Last Post"]] in records.shown("what was the last record released?")


def test_the_first_by_time_is_shown_without_its_time(members: Asked) -> None:
    assert [["Ada Birk"]] in members.shown("who was the first member to have joined?")


def test_charts_of_music_are_not_drawn(records: Asked) -> None:
    assert records.answer("how many records did not chart abroad?") == [[3]]
    assert records.answer("what is the highest position a record of Fern reached on any chart?") is None


def test_the_difference_of_highest_and_lowest_is_one_question(records: Asked) -> None:
    assert [[56150]] in records.shown("what is the difference in units sold between the highest and lowest record?")


@pytest.mark.parametrize(
    "question",
    [
        "how many units sold did Harvest have of the sales share?",
        "what is the total units sold and streams of Harvest?",
    ],
)
def test_a_percentage_or_half_of_what_is_asked_is_no_answer(records: Asked, question: str) -> None:
    assert records.answer(question) in (None, [[60250]])


def test_the_average_of_what_is_called_a_total_is_no_sum(records: Asked) -> None:
    assert records.answer("what is the average total units sold of all records?") in (None, [[21392.86]])


@pytest.mark.parametrize("question", ["who is the oldest member?"])
def test_dates_and_scores_in_words_are_not_put_in_order(members: Asked, question: str) -> None:
    assert members.answer(question) is None


def test_who_came_before_a_named_one_is_of_the_same_kind(members: Asked) -> None:
    assert [["Ole Vang"]] in members.shown("who was the member before Ida Moss?")


def test_how_many_follow_is_not_the_next_one(members: Asked) -> None:
    assert members.answer("the number of members that joined after Ida Moss") in (None, [[2]])


def test_a_time_is_not_taken_for_those_that_begin_with_it(laps: Asked) -> None:
    rows: list[Any] | str = laps.rows("how many runners have a time of less than 2:02?")
    assert rows in (DECLINED, [[2]])


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("which team has the most gold?", [["Arden"]]),
        ("what is the total silver of all teams?", [[11]]),
        ("how many teams are listed in the table?", [[4]]),
        ("which teams have more than 2 silver?", [["Arden"], ["Corby"]]),
    ],
)
def test_a_line_of_totals_is_no_row(cups: Asked, question: str, rows: list[Any]) -> None:
    assert rows in cups.shown(question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("did Bexley win more or less silver than Corby?", [["less"]]),
        ("how many more teams are in Dale than in Moss?", [[2]]),
    ],
)
def test_one_of_two_sides_is_chosen(cups: Asked, question: str, rows: list[Any]) -> None:
    assert rows in cups.shown(question)


MATCHES = """Round,Date,Opponent,Ground,Score,Crowd
1,"Sat., Oct. 3, 1953",Mill Town,Home,2-1,900
2,"Sat., Oct. 10, 1953",Old Quarry,Away,0-2,700
3,"Sat., Oct. 31, 1953",Red Hill,Home,2-0,950
4,"Sat., Nov. 7, 1953",Green Valley,Away,1-0,600
5,"Sat., Nov. 28, 1953",North Shore,Home,4-2,1200
"""
MILLS = """Mill,Built,Floors,River
Old Mill,c. 1790,3,Ash
Kings Mill,1848,5,Ash
Ferry Mill,1862–1865,2,Tarn
Union Mill,1926,4,Wend
Lower Mill,1967,4,Wend
"""
GAMES = """Nation,Gold,Silver,Bronze,Total
Kenya,5,7,2,14
Ghana,0,2,2,4
Egypt,2,0,0,2
Mali,0,0,1,1
"""
SINGLES = """Year,Single,Peak home,Peak abroad
1991,Clay,14,3
1992,Two Rooms,3,61
1993,Even Keel,8,1
1994,Harvest,1,12
"""
HEATS = """Lane,Runner,Time
1,Ann Reis,58.20
2,Bo Lind,57.95
3,Jo Ek,59.04
"""


STORMS = """Year,Storms,Deaths
1991,3,10
1992,7,44
1993,14,40
1994,6,39
1995,9,1
"""
SHARES = """State,Women (%),Income,People
Aa,50,10,20
Bb,52,40,30
Cc,51,30,50
"""
YARDS = """Yard,Built in
Mill Yard,1948
Quay Yard,1948
Old Yard,1950
Ash Yard,1951
North Yard,1960
"""
SQUAD = """Player,Pos.,Goals
Ann Reis,GK,0
Bo Lind,DF,2
Jo Ek,FW,5
Mo Diaz,FW,9
"""
FIXTURES = """Round,Opponent,Ground,Crowd
1,Quarry,H,900
2,Mill,A,500
3,North,H,700
"""
CAREER = """Year,Competition,Position,Event,Notes
2001,Town Games,2nd,mile,
2002,County Games,2nd,mile,Nominated for the county award
2003,Town Games,1st,mile,Received the county award
2003,Town Games,1st,relay,
"""
POLL = """Candidate,Votes,%,May high,June high
Ann Reis,612,61,10,14
Bo Lind,300,30,12,15
Jo Ek,88,9,14,16
"""
HOCKEY = """Season,Team,League,GP,G,A,Pts
1999–00,Rockets,WHL,68,15,31,46
2000–01,Rovers,AHL,70,21,20,41
2001–02,Wolves,AHL,64,15,17,32
2002–03,Wolves,AHL,22,2,9,11
2003–04,Rangers,NHL,41,6,18,24
AHL totals,,,150,30,40,70
"""
PEAKS = """Rank,Mountain,Country,Elevation (m)
1,Mount Arel,Nordland,"4,812"
2,Tarn Head,Westmark,"4,430"
3,Black Horn,Westmark,"4,207"
4,Old Horn,Westmark,"4,100"
"""
SEATS = """Town,Town,Area,People,Member,Wards
1,Arden,40,900,Ann Reis,"North, Mill, Quay"
2,Bexley,22,500,Bo Lind,North
3,Corby,31,700,Jo Ek,"North, Mill"
4,Derby,12,400,Mo Diaz,Mill
"""


@pytest.mark.parametrize(
    ("table", "question", "rows"),
    [
        (MATCHES, "which game had the lowest crowd?", [["Green Valley"]]),
        (GAMES, "what is the total number of medals won by all nations?", [[21]]),
        (SINGLES, "which single reached number 1 abroad?", [["Even Keel"]]),
        (STORMS, "in which year did the number of storms increase the most compared to the previous year?", [[1993]]),
        (STORMS, "in which year did deaths fall the most?", [[1995]]),
        (STORMS, "which year had the largest increase in deaths?", [[1992]]),
        (SHARES, "what is the average percentage of women of the states?", [[51]]),
        (SHARES, "what is the average income of the top 2 states?", [[35]]),
        (SHARES, "how many people live in all the provinces?", [[100]]),
        (YARDS, "how many yards were built in 1948?", [[2]]),
        (CAREER, "how many times was the athlete nominated for an award?", [[1]]),
        (POLL, "what percentage of the vote did Ann Reis receive?", [[61]]),
        (POLL, "what is the difference between the average June high and May high?", [[3]]),
        (SQUAD, "how many players have over 4 goals?", [[2]]),
        (HOCKEY, "how many goals did he score in 2000-01?", [[21]]),
        (HOCKEY, "which league did he play the most seasons in?", [["AHL"]]),
        (HOCKEY, "what was the last season he played in the ahl?", [["2002–03"]]),
        (PEAKS, "what is the highest mountain in westmark?", [["Tarn Head"]]),
        (PEAKS, "how much higher is Mount Arel than Black Horn?", [[605]]),
        (PEAKS, "which country has more mountains, nordland or westmark?", [["Westmark"]]),
        (SEATS, "how many towns have at least 600 people?", [[2]]),
    ],
)
def test_what_such_tables_leave_unsaid_is_known(
    tmp_path: Path, interpreter: Interpreter, table: str, question: str, rows: list[Any] | str
) -> None:
    assert rows in Asked(interpreter, tmp_path / "table.csv", table).shown(question)
