"""The files of tool services: whose they are, by what names and addresses."""

from __future__ import annotations

import httpx2
import pytest
from tests.support.genie_backend import got, posted
from tests.support.genie_client import CSV, Serving
from tests.support.patience import PATIENCE_S

ANN, BOB = {"authorization": "Bearer tw_ann"}, {"authorization": "Bearer tw_bob"}
GET, LIST, UPLOAD = "/file_tool/get_file", "/file_tool/get_file_list", "/file_tool/upload_file"


def text_file(name: str, content: str, session: str = "r-1") -> dict[str, str]:
    return {"requestId": session, "fileName": name, "description": "", "content": content}


@pytest.mark.requirement("genie-tool-files")
async def test_a_text_is_kept_found_and_opened_without_a_key(serving: Serving) -> None:
    url = await serving(keyless=False)
    made = (await posted(url, UPLOAD, text_file("notes.md", "# 标题"), **ANN)).json()
    assert made.keys() == {"ossUrl", "downloadUrl", "domainUrl", "fileSize"}
    assert made["fileSize"] == len("# 标题".encode())
    found = (await posted(url, GET, {"requestId": "r-1", "fileName": "notes.md"}, **ANN)).json()
    assert found.keys() == {"ossUrl", "downloadUrl", "domainUrl", "requestId", "fileName"}
    seen, saved = await got(found["domainUrl"]), await got(found["downloadUrl"])
    assert seen.text == "# 标题"
    assert (seen.headers["content-disposition"], seen.headers["access-control-allow-origin"]) == ("inline", "*")
    assert "sandbox" in seen.headers["content-security-policy"]
    assert saved.headers["content-disposition"].startswith("attachment")
    assert "access-control-allow-credentials" not in seen.headers


@pytest.mark.requirement("genie-tool-files")
async def test_files_of_others_are_not_there(serving: Serving) -> None:
    url = await serving(keyless=False)
    await posted(url, UPLOAD, text_file("a.md", "secret"), **ANN)
    wanted = {"requestId": "r-1", "fileName": "a.md"}
    assert (await posted(url, GET, wanted)).status_code == 401
    assert (await posted(url, GET, wanted, **BOB)).status_code == 500
    assert (await posted(url, LIST, {"requestId": "r-1"}, **BOB)).json() == {"results": [], "totalSize": 0}
    by_session = f"{url}/file_tool/download/r-1/a.md"
    assert (await got(by_session, **ANN)).content == b"secret"
    assert (await got(by_session, **BOB)).status_code == 404
    assert (await got(by_session)).status_code == 404
    assert (await got(by_session, origin="https://evil.example", **ANN)).status_code == 404


@pytest.mark.requirement("genie-tool-files")
async def test_a_missing_file_is_the_error_that_programs_expect(serving: Serving) -> None:
    reply = await posted(await serving(), GET, {"requestId": "r-1", "fileName": "none"})
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "not_found"


@pytest.mark.requirement("genie-tool-files")
async def test_the_newest_of_a_name_counts_and_lists_have_pages(serving: Serving) -> None:
    url = await serving()
    for name, content in (("a.md", "1"), ("b.csv", "x\n1\n"), ("c.txt", "words"), ("a.md", "2")):
        assert (await posted(url, UPLOAD, text_file(name, content))).status_code == 200
    whole = (await posted(url, LIST, {"requestId": "r-1", "page": 1, "pageSize": 2})).json()
    rest = (await posted(url, LIST, {"requestId": "r-1", "page": 2, "pageSize": 2})).json()
    assert (whole["totalSize"], rest["totalSize"]) == (3, 3)
    names = [one["fileName"] for one in (*whole["results"], *rest["results"])]
    assert sorted(names) == ["a.md", "b.csv", "c.txt"]
    chosen = (await posted(url, LIST, {"requestId": "r-1", "filters": [{"fileName": "a.md"}]})).json()
    (one,) = chosen["results"]
    assert (await got(one["ossUrl"])).text == "2"


@pytest.mark.requirement("genie-tool-files")
@pytest.mark.parametrize("name", ["../../../etc/x.md", "/abs/x.md", "..\\x.md"])
async def test_a_name_is_no_path(serving: Serving, name: str) -> None:
    url = await serving()
    made = (await posted(url, UPLOAD, text_file(name, "x"))).json()
    assert made["downloadUrl"].endswith("/x.md")
    assert (await got(made["downloadUrl"])).text == "x"


@pytest.mark.requirement("genie-tool-files")
@pytest.mark.parametrize("last", [True, False])
async def test_a_form_names_its_session_before_or_after_the_file(serving: Serving, last: bool) -> None:
    url = await serving()
    file, field = ("file", ("sales.csv", CSV)), ("requestId", (None, "r-9"))
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        made = await http.post("/file_tool/upload_file_data", files=[file, field] if last else [field, file])
        without = await http.post("/file_tool/upload_file_data", files=[file])
    assert made.json().keys() == {"downloadUrl", "domainUrl", "fileSize"}
    assert (await got(made.json()["downloadUrl"])).content == CSV
    assert (without.status_code, without.json()["error"]["param"]) == (400, "requestId")


@pytest.mark.requirement("genie-tool-files")
async def test_what_is_looked_at_as_csv_can_be_taken_apart_at_commas(serving: Serving) -> None:
    made = (await posted(await serving(), UPLOAD, text_file("s.csv", CSV.decode()))).json()
    assert (await got(made["domainUrl"])).text.splitlines()[1] == "Beijing,a， b,7"
    assert (await got(made["downloadUrl"])).content == CSV
