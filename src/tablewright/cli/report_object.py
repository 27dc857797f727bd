"""A report as one object for programs: words, tables and charts as data, and what the HTTP result says of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from typing import Any

from tablewright.api.structured.fold import QueryFold, whole
from tablewright.cli.clients.base import Client
from tablewright.report.blocks import Block, ChartBlock, Heading, Inline, ItemList, Quote, TableBlock, plain
from tablewright.report.chart_data import ChartData, chart_data
from tablewright.report.documents import read_view


async def report_object(service: Client, conversation_id: str, run_id: str, result: dict[str, Any]) -> dict[str, Any]:
    """Return `result`, the object of an answer, with the `charts` and `tables` of the report and its `metadata`, which
    is that of `POST /api/v1/agent/query`."""
    fold = QueryFold(run_id=run_id, conversation_id=conversation_id)
    async with aclosing(service.follow(run_id)) as events:  # type: ignore[type-var]  # both clients have generators
        async for event in events:
            fold.take(event)
    told = whole(fold)
    if told is None:
        return result
    blocks = [*_flat(read_view(told.data.response, codes=frozenset()).blocks)]
    metadata = told.data.metadata.model_dump(mode="json", exclude_none=True)
    more = {"conversation_id": conversation_id, "metadata": metadata, "tables": [*_tables(blocks)]}
    return {**result, "charts": [*result["charts"], *_charts(blocks)], **more}


def _flat(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Quote):
            yield from _flat(block.blocks)
        elif isinstance(block, ItemList):
            for item in block.items:
                yield from _flat(item)


def _tables(blocks: list[Block]) -> Iterator[dict[str, Any]]:
    """Yield each table as it is shown, below the heading over it."""
    title = ""
    for block in blocks:
        if isinstance(block, Heading):
            title = plain(block.content)
        elif isinstance(block, TableBlock):
            yield {"title": title, "columns": _texts(block.header), "rows": [_texts(row) for row in block.rows]}


def _texts(cells: tuple[Inline, ...]) -> list[str]:
    return [plain(cell) for cell in cells]


def _charts(blocks: list[Block]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        data = chart_data(block.option) if isinstance(block, ChartBlock) else None
        if data is not None and data.series:
            yield _chart(data)


def _chart(data: ChartData) -> dict[str, Any]:
    """Return a chart in the form of those of an answer: `x[i]`, `y[i]` and `series[i]` belong together."""
    marks = [
        (place, value, series.name)
        for series in data.series
        for place, value in zip(data.categories or series.places or (), series.values, strict=False)
    ]
    names = [name for *_, name in marks] if len(data.series) > 1 else None
    kind = data.series[0].kind
    x, y = [place for place, *_ in marks], [value for _, value, _ in marks]
    return {"type": kind, "title": data.title or None, "x": x, "y": y, "series": names}
