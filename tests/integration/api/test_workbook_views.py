"""Sheets over HTTP as a person sees them: layouts, windows, finding, sorted and filtered views."""

from __future__ import annotations

import httpx2
from tests.integration.api.test_workbooks import edit, upload

CSV = b"city,day,amount\nLyon,2024-03-01,3\nOslo,2024-03-02,1\nBern,2024-03-03,2\n"


async def test_a_csv_is_shown_in_windows_without_becoming_a_workbook(client: httpx2.AsyncClient) -> None:
    _, file = await upload(client, "Sales.csv", CSV)
    at = f"/api/v1/workbooks/{file}/sheets/Sales"
    layout = (await client.get(f"{at}/layout")).json()
    assert (layout["version"], layout["layout"]["rows"], layout["layout"]["columns"]) == (1, 4, 3)
    got = (await client.get(f"{at}/window", params={"range": "A1:AX200"})).json()
    assert got["version"] == 1
    row = got["window"]["rows"][1]
    assert row["row"] == 2
    assert [cell[:2] for cell in row["cells"]] == [[1, "Lyon"], [2, 45352], [3, 3]]
    assert got["window"]["looks"][str(row["cells"][1][2])]["format"] == "yyyy-mm-dd"
    assert (await client.get(f"/api/v1/files/{file}")).json()["name"] == "Sales.csv"


async def test_a_view_is_sorted_and_filtered_and_its_rows_are_read_in_that_order(client: httpx2.AsyncClient) -> None:
    _, file = await upload(client, "Sales.csv", CSV)
    at = f"/api/v1/workbooks/{file}/sheets/Sales"
    wanted = {"first_row": 2, "sort": 3, "descending": True, "tests": [{"column": 1, "contains": "o"}]}
    order = await client.post(f"{at}/order", json=wanted)
    assert order.json() == {"runs": [[2, 3]]}, order.text
    window = (await client.get(f"{at}/window", params={"range": "A1:A1", "rows": "3,2"})).json()["window"]
    assert [row["cells"][0][1] for row in window["rows"]] == ["Oslo", "Lyon"]
    assert (await client.get(f"{at}/find", params={"text": "oslo"})).json() == {"refs": ["A3"], "next_row": None}
    filled = await client.get(f"{at}/filled", params={"range": "B2:B1000000"})
    assert filled.json() == {"runs": [[2, 4]], "next_row": None}
    assert (await client.get(f"{at}/summary", params={"range": "C:C"})).json()["sum"] == 6


async def test_an_earlier_version_is_shown_beside_the_newest(client: httpx2.AsyncClient) -> None:
    _, file = await upload(client, "Sales.csv", CSV)
    step = {"function": "set_values", "range": "A2", "values": [["Paris"]]}
    assert (await edit(client, file, 1, step)).status_code == 200
    at = f"/api/v1/workbooks/{file}/sheets/Sales/window"
    shown = [(await client.get(at, params={"range": "A2", "version": number})).json() for number in (1, 2)]
    assert [(one["version"], one["window"]["rows"][0]["cells"][0][1]) for one in shown] == [(1, "Lyon"), (2, "Paris")]
    assert (await client.get(at, params={"range": "A2", "version": 9})).status_code == 404


async def test_what_cannot_be_shown_is_told_with_its_field(client: httpx2.AsyncClient) -> None:
    _, file = await upload(client, "Sales.csv", CSV)
    at = f"/api/v1/workbooks/{file}/sheets"
    for path, params, field in (
        ("Sales/window", {"range": "A1:ZZ9999"}, "range"),
        ("Sales/window", {"range": "nowhere"}, "range"),
        ("Sales/window", {"range": "A1", "rows": "1,x"}, "rows"),
        ("Other/layout", {}, "sheet"),
    ):
        refused = await client.get(f"{at}/{path}", params=params)
        assert refused.status_code == 422, (path, refused.text)
        assert refused.json()["error"]["field"] == field
    assert (await client.get(f"/api/v1/workbooks/{file}/images/none.png")).status_code == 404
