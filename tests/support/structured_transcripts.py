"""docs/reference/structured-transcripts.md played over real HTTP: `python -m tests.support.structured_transcripts`
writes the responses into the page anew."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "structured-transcripts.md"
FENCE = re.compile(
    r"^```(?P<kind>json model|http request|http response|csv) ?(?P<name>\S*)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
PART = re.compile(r"^(?=<!-- model: )", re.MULTILINE)
SCRIPTED = "<!-- model: scripted -->"
CODE_ID = re.compile(r"code_\d{8}_[0-9a-f]{8}")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
OWN = re.compile(rf'"(?P<kind>conversation|run|file|step)_id": ?"(?P<id>{UUID.pattern})"')
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|\+00:00)")
DURATION = re.compile(r'(?<="duration_ms":)( ?)\d+')
SEQ = re.compile(r'(?<="last_seq":)( ?)\d+')
"""How many events there are depends on how fast a text is printed."""
RECOMMENDED = re.compile(r'(?<="recommended_questions":)( ?)\[\s*"[^]]+\]')
"""Which questions the built-in analyst recommends depends on what it trusts itself to answer."""
LONG_CODE = 500
"""Longer code of a call is shown up to its first line."""


@dataclass(slots=True, kw_only=True)
class StableIds:
    """What stands in the page for ids and times, which are others each time."""

    shown: dict[str, str] = field(default_factory=dict[str, str])

    def stable(self, text: str) -> str:
        """Return what came from the service as the page shows it."""
        for found in OWN.finditer(text):
            self._name(found["id"], found["kind"])
        for code_id in CODE_ID.findall(text):
            if code_id not in self.shown:
                number = sum(name.startswith("code_") for name in self.shown) + 1
                self.shown[code_id] = f"code_20250207_{number:08x}"
        for own in UUID.findall(text):
            self._name(own, "id")
        for actual, name in self.shown.items():
            text = text.replace(actual, name)
        text = SEQ.sub(r"\g<1>11", text)
        return DURATION.sub(r"\g<1>1234", TIME.sub("2025-02-07T09:00:00Z", text))

    def actual(self, text: str) -> str:
        """Return what the page says as it is sent."""
        for actual, name in self.shown.items():
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", actual, text)
        return text

    def _name(self, own: str, kind: str) -> None:
        if own not in self.shown:
            number = sum(re.fullmatch(rf"{kind}-\d+", name) is not None for name in self.shown.values()) + 1
            self.shown[own] = f"{kind}-{number}"


def compared(page: str) -> str:
    """Return the page with all that it must show; of recommended questions, that there are some."""
    return "".join(part if part.startswith(SCRIPTED) else RECOMMENDED.sub(r"\1[…]", part) for part in PART.split(page))


async def played(page: str, folder: Path) -> str:
    """Return the page with the responses that its requests get now; each part has a service of its own."""
    parts = []
    for number, part in enumerate(PART.split(page)):
        if not part.startswith("<!-- model: "):
            parts.append(part)
            continue
        place = folder / str(number)
        place.mkdir()
        parts.append(await _part(page, part, place))
    return "".join(parts)


async def _part(page: str, part: str, folder: Path) -> str:
    commands = Commands(folder=folder)
    async with FakeOpenAI() as endpoint:
        if part.startswith(SCRIPTED):
            commands.environ = {
                "TABLEWRIGHT_MODEL": "openai:gpt-4o-fake",
                "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": endpoint.base_url,
                "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            }
        async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            for block in FENCE.finditer(page):
                if block["kind"] == "csv":
                    files = {"file": (block["name"], block["body"].encode())}
                    assert (await http.post("/api/v1/files", files=files)).status_code == 201
            return await _blocks(part, http, endpoint)


async def _blocks(part: str, http: httpx2.AsyncClient, endpoint: FakeOpenAI) -> str:
    ids, response, told, end = StableIds(), "", list[str](), 0
    for block in FENCE.finditer(part):
        told.append(part[end : block.start("body")])
        end = block.end("body")
        if block["kind"] == "http response":
            told.append(response)
            continue
        told.append(block["body"])
        if block["kind"] == "json model":
            endpoint.says_each([ids.actual(block["body"])])
        elif block["kind"] == "http request":
            response = ids.stable(await _exchange(ids.actual(block["body"]), http))
    assert not endpoint.waiting, "the model was to say more"
    return "".join((*told, part[end:]))


async def _exchange(request: str, http: httpx2.AsyncClient) -> str:
    """Send a request as the page writes it, and return the response as the page shows it."""
    head, _, body = request.partition("\n\n")
    method, path = head.split()
    if re.fullmatch(r"/api/v1/runs/[^/]+", path):
        await http.get(f"{path}/events")  # to its end
    got = await http.request(method, path, json=json.loads(body) if body.strip() else None)
    kind = got.headers["content-type"].partition(";")[0]
    head = f"HTTP/1.1 {got.status_code}\nContent-Type: {kind}\n\n"
    if kind == "application/json":
        return f"{head}{json.dumps(_cut(got.json()), ensure_ascii=False, indent=2)}\n"
    return head + "\n".join(_frames(got.text) if kind == "text/event-stream" else [got.text]) + "\n"


def _frames(text: str) -> Iterator[str]:
    for event in text.split("\n\n"):
        if event.startswith("data: "):
            data = _cut(json.loads(event.removeprefix("data: ")))
            yield f"data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n"


def _cut(value: Any) -> Any:
    """Return JSON with long code of calls up to its first line."""
    if isinstance(value, dict):
        return {
            name: f"{each.partition(chr(10))[0]}\n…"
            if name == "code" and isinstance(each, str) and len(each) > LONG_CODE
            else _cut(each)
            for name, each in value.items()
        }
    return [_cut(each) for each in value] if isinstance(value, list) else value


def main() -> None:
    """Play the page and write it anew."""
    with tempfile.TemporaryDirectory() as folder:
        page = asyncio.run(played(PAGE.read_text("utf-8"), Path(folder)))
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
