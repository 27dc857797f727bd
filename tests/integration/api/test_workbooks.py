"""Workbooks over HTTP: looked into, edited, compared, taken back."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

CSV = "城市,额\n北京,1\n上海,2\n".encode()
WRITE = {"function": "set_values", "range": "C1:C2", "values": [["倍"], [7]]}


async def upload(client: httpx2.AsyncClient, name: str = "销售.csv", content: bytes = CSV) -> tuple[str, str]:
    """Return the ids of a new conversation and of its file."""
    made = await client.post("/api/v1/conversations", json={})
    into = str(made.json()["id"])
    sent = await client.post(
        "/api/v1/files", params={"conversation_id": into}, files={"file": (name, content, "text/csv")}
    )
    assert sent.status_code == 201, sent.text
    return into, str(sent.json()["id"])


async def edit(client: httpx2.AsyncClient, workbook: str, base: int, *operations: dict[str, Any]) -> httpx2.Response:
    body = {"operations": operations, "base_version": base, "summary": "by hand"}
    return await client.post(f"/api/v1/workbooks/{workbook}/edits", json=body)


async def test_a_workbook_is_its_head_and_the_outline_of_its_sheets(client: httpx2.AsyncClient) -> None:
    conversation, file = await upload(client)
    for name in (file, conversation):
        got = await client.get(f"/api/v1/workbooks/{name}")
        assert got.status_code == 200, got.text
        shown = got.json()
        assert (shown["id"], shown["name"], shown["version"], shown["versions"]) == (file, "销售.csv", 1, 1)
        (sheet,) = shown["outline"]["sheets"]
        assert [column["header"] for column in sheet["regions"][0]["columns"]] == ["城市", "额"]
    cells = await client.get(f"/api/v1/workbooks/{file}/sheets/销售/cells", params={"range": "A1:B2", "limit": 2})
    assert [cell["value"] for cell in cells.json()["cells"]] == ["城市", "额"]
    assert cells.json()["next_range"] == "A2:B2"


async def test_a_workbook_is_its_head_and_the_list_of_its_sheets(client: httpx2.AsyncClient) -> None:
    conversation, file = await upload(client)
    for name in (file, conversation):
        shown = (await client.get(f"/api/v1/workbooks/{name}/sheets")).json()
        assert (shown["id"], shown["name"], shown["version"], shown["can_undo"]) == (file, "销售.csv", 1, False)
        assert shown["sheets"] == [{"name": "销售", "state": "visible", "kind": "worksheet"}]
    assert (await client.get("/api/v1/workbooks/none/sheets")).status_code == 404


@pytest.mark.parametrize("spelled", ["Data%20", "Data", "data"])
async def test_cells_of_a_sheet_whose_name_ends_in_a_space_are_read_and_edited(
    client: httpx2.AsyncClient, spelled: str
) -> None:
    _, file = await upload(client, "Data .csv")
    assert (await client.get(f"/api/v1/workbooks/{file}")).json()["outline"]["sheets"][0]["name"] == "Data "
    done = await edit(client, file, 1, {"function": "set_values", "sheet": "Data ", "range": "B2", "values": [[4]]})
    assert done.status_code == 200, done.text
    cells = await client.get(f"/api/v1/workbooks/{file}/sheets/{spelled}/cells", params={"range": "A2:B2"})
    assert [cell["value"] for cell in cells.json()["cells"]] == ["北京", 4]


@pytest.mark.requirement("workbook-edits-over-http")
async def test_an_edit_makes_a_version_that_can_be_undone_and_redone(client: httpx2.AsyncClient) -> None:
    _, file = await upload(client)
    done = await edit(client, file, 1, WRITE, {"function": "describe"})
    assert done.status_code == 200, done.text
    made = done.json()
    assert (made["changed"], made["workbook"]["version"], made["workbook"]["can_undo"]) == (True, 2, True)
    assert [cell["ref"] for cell in made["changes"][0]["cells"]] == ["C1", "C2"]
    assert [step["cells_changed"] for step in made["steps"]] == [2, 0]
    assert made["steps"][1]["result"]["columns"]
    assert [notice["code"] for notice in made["warnings"]] == ["converted_text"]
    assert "xlsx" in made["warnings"][0]["message"]
    assert (await client.get(f"/api/v1/files/{file}")).json()["name"] == "销售.xlsx"
    undone = await client.post(f"/api/v1/workbooks/{file}/undo")
    assert undone.json() | {"size_bytes": 0} == {
        "id": file, "name": "销售.csv", "size_bytes": 0, "version": 1, "versions": 2,
        "can_undo": False, "can_redo": True,
    }  # fmt: skip
    assert (await client.get(f"/api/v1/files/{file}/download")).content == CSV
    redone = await client.post(f"/api/v1/workbooks/{file}/redo")
    assert (redone.json()["version"], redone.json()["can_redo"]) == (2, False)


async def test_what_is_named_is_taken_back_and_is_so_but_once(client: httpx2.AsyncClient) -> None:
    _, file = await upload(client)
    for base in (1, 2, 3):
        await edit(client, file, base, {"function": "insert_rows", "row": 2})
    listed = (await client.get(f"/api/v1/workbooks/{file}/versions")).json()["items"]
    second = next(version["request_id"] for version in listed if version["number"] == 3)
    for _again in range(2):
        undone = await client.post(f"/api/v1/workbooks/{file}/undo", json={"request_id": second})
        assert (undone.status_code, undone.json()["version"]) == (200, 2)
    unknown = await client.post(f"/api/v1/workbooks/{file}/undo", json={"request_id": "nobody"})
    assert unknown.status_code == 404


async def test_versions_are_listed_compared_and_downloaded(client: httpx2.AsyncClient) -> None:
    _, file = await upload(client)
    await edit(client, file, 1, WRITE)
    await edit(client, file, 2, {"function": "insert_rows", "row": 2})
    first = (await client.get(f"/api/v1/workbooks/{file}/versions", params={"limit": 2})).json()
    assert [(version["number"], version["parent"]) for version in first["items"]] == [(3, 2), (2, 1)]
    assert {version["author"] for version in first["items"]} == {"person"}
    assert first["items"][0]["summary"] == "by hand"
    cursor = {"cursor": first["next_cursor"]}
    rest = (await client.get(f"/api/v1/workbooks/{file}/versions", params=cursor)).json()
    assert [(version["number"], version["author"]) for version in rest["items"]] == [(1, "upload")]
    assert rest["next_cursor"] is None
    compared = (await client.get(f"/api/v1/workbooks/{file}/versions/1/compare/2")).json()
    assert [[cell["ref"] for cell in sheet["cells"]] for sheet in compared["sheets"]] == [["C1", "C2"]]
    old = await client.get(f"/api/v1/workbooks/{file}/download", params={"version": 1})
    assert old.content == CSV
    assert "%E9%94%80%E5%94%AE.csv" in old.headers["content-disposition"]
    newest = await client.get(f"/api/v1/workbooks/{file}/download")
    assert newest.content[:2] == b"PK"
    assert len(newest.content) == int(newest.headers["content-length"])


async def test_what_cannot_be_done_is_told_in_the_callers_language(client: httpx2.AsyncClient) -> None:
    _, file = await upload(client)
    failed = await edit(client, file, 1, WRITE, {"function": "delete_rows", "row": 1, "sheet": "没有"})
    error = failed.json()["error"]
    assert (failed.status_code, error["code"], error["field"]) == (422, "plan_invalid", "operations.1")
    assert "没有" in error["message"]
    stale = await edit(client, file, 3, WRITE)
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "workbook_changed")
    chinese = {"accept-language": "zh"}
    nothing = await client.post(f"/api/v1/workbooks/{file}/undo", headers=chinese)
    assert (nothing.status_code, nothing.json()["error"]["code"]) == (409, "conflict")
    assert "第一个版本" in nothing.json()["error"]["message"]
    unfit = await edit(client, file, 1, {"function": "set_values", "range": "A1"})
    assert (unfit.status_code, unfit.json()["error"]["field"]) == (422, "operations.0.set_values.values")
    unknown = await edit(client, file, 1, {"function": "make_coffee"})
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (422, "invalid_input")
    assert (await client.get(f"/api/v1/workbooks/{file}")).json()["versions"] == 1


async def test_what_is_not_there_is_not_found(client: httpx2.AsyncClient) -> None:
    conversation, file = await upload(client)
    for path in ("nothing", f"{file}/download?version=2", f"{file}/versions/1/compare/2"):
        got = await client.get(f"/api/v1/workbooks/{path}")
        assert (got.status_code, got.json()["error"]["code"]) == (404, "not_found"), path
    missing = await client.get(f"/api/v1/workbooks/{file}/sheets/没有/cells")
    assert (missing.status_code, missing.json()["error"]["code"]) == (422, "invalid_input")
    await client.delete(f"/api/v1/files/{file}")
    assert (await client.get(f"/api/v1/workbooks/{conversation}")).status_code == 404
