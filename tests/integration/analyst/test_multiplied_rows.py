"""Amounts of rows that a join repeats are added up once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.analyst.asking import Asked
from tests.integration.analyst.conftest import Interpreter

BILLS = "Bill,Customer,Amount\nB1,Ann,100\nB2,Bob,250\nB3,Ann,40\nB4,Cid,75\n"
RECEIPTS = """Receipt,Bill,Method,Paid
R1,B1,card,60
R2,B1,card,40
R3,B2,cash,100
R4,B2,card,150
R5,B3,cash,40
R6,B3,cash,1
"""


@pytest.fixture
def ledger(interpreter: Interpreter, tmp_path: Path) -> Asked:
    return Asked(interpreter, tmp_path / "bills.csv", BILLS, (tmp_path / "receipts.csv", RECEIPTS))


def test_amounts_of_the_many_side_are_added_up_as_they_are(ledger: Asked) -> None:
    assert [["Ann", 141], ["Bob", 250]] in ledger.shown("total Paid by Customer")


def test_what_would_be_added_up_several_times_beside_another_amount_is_declined(ledger: Asked) -> None:
    assert ledger.answer("total Amount of the bills paid by card") is None


def test_tables_are_joined_by_keys_of_different_names(interpreter: Interpreter, tmp_path: Path) -> None:
    clients = "Code,Country,Budget\n" + "".join(f"c{at},{'FI'[at % 2]},{at * 100}\n" for at in range(1, 7))
    visits = "Visit,Client,Hours\n" + "".join(f"v{at},c{at // 2 + 1},{at}\n" for at in range(11))
    asked = Asked(interpreter, tmp_path / "clients.csv", clients, (tmp_path / "visits.csv", visits))
    assert [["F", 28], ["I", 27]] in asked.shown("total Hours by Country")
    assert [[1800]] in asked.shown("total Budget of clients with Hours above 4")


def test_tables_are_joined_over_one_in_between(interpreter: Interpreter, tmp_path: Path) -> None:
    clients = "Client,Tier,Budget\n" + "".join(
        f"c{at},{'gold' if at % 2 else 'silver'},{at * 100}\n" for at in range(6)
    )
    orders = "Order,Client,Paid\n" + "".join(f"o{at},c{at % 6},{at * 10}\n" for at in range(12))
    items = "Order,Line,Qty\n" + "".join(f"o{at // 2},l{at % 2},{at}\n" for at in range(24))
    asked = Asked(
        interpreter,
        tmp_path / "clients.csv",
        clients,
        (tmp_path / "orders.csv", orders),
        (tmp_path / "items.csv", items),
    )
    assert sorted(asked.shown("total Qty per Tier")[0]) == [["gold", 150], ["silver", 126]]
    assert [["gold", 360], ["silver", 300]] in [sorted(rows) for rows in asked.shown("total Paid per Tier")]


def test_tables_are_joined_by_keys_with_stray_blanks_and_other_spellings(
    interpreter: Interpreter, tmp_path: Path
) -> None:
    boats = "Boat,Base,Berths\nHeron,Skipton,6\nOtter,Skipton,4\nMoorhen,Rodley,4\nPintail,Bingley,6\n"
    hires = "Ref,Boat,Price\n" + "".join(
        f"N{at},{boat},{at * 10}\n"
        for at, boat in enumerate(["Heron", " Heron", "OTTER ", "Moorhen  ", "OTTER", "moorhen", "Moorhen"], start=1)
    )
    asked = Asked(interpreter, tmp_path / "hires.csv", hires, (tmp_path / "boats.csv", boats))
    assert [["Rodley", 170], ["Skipton", 110]] in [sorted(rows) for rows in asked.shown("total Price by Base")]


def test_tables_of_months_are_added_up_over_their_columns(interpreter: Interpreter, tmp_path: Path) -> None:
    takings = 'Pitch,Town,Jan,Feb,Mar,Apr\nMarket,Ely,10,closed,30,40\nStation,Ely,1,2,3,4\nUni,Wells,5,"1,006",7,8\n'
    asked = Asked(interpreter, tmp_path / "takings.csv", takings)
    assert [["Ely", 90], ["Wells", 1026]] in [sorted(rows) for rows in asked.shown("total takings per Town")]
    assert [["Apr", 52], ["Feb", 1008], ["Jan", 16], ["Mar", 40]] in [
        sorted(rows) for rows in asked.shown("total takings per month")
    ]
    assert [["Ely", 46], ["Wells", 1018]] in [
        sorted(rows) for rows in asked.shown("total takings per Town in the first quarter")
    ]
