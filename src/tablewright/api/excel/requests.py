"""Converts a request of the wire format to a `ChannelRequest`: merges fields that can be in two places and checks the
sheets."""

from __future__ import annotations

import re
from typing import Any

from tablewright.api.languages import preferred_language
from tablewright.api.schemas.excel import ExcelRequest, HistoryStep, SheetIn, StepIn
from tablewright.domain.language import Language, language_of
from tablewright.domain.rounds.plan import ReportedStep
from tablewright.errors import InvalidInput
from tablewright.service.channels.client_sheets import CELLS_TAKEN, ClientSheet, client_sheet
from tablewright.service.channels.request import ChannelRequest

STEPS_TOLD = 1_000
SHEETS = "context.spreadsheet_data.sheets"
SHEET_NAME = re.compile(r"(?!')[^\x00-\x1f\[\]:*?/\\]{1,31}(?<!')")


def channel_request(request: ExcelRequest, accepted: Language) -> ChannelRequest:
    """Return the request as a `ChannelRequest`.

    Raises `InvalidInput` naming the field; `accepted` is the language of the request header.
    """
    context = request.context
    continues = (
        request.continue_multi_round if request.continue_multi_round is not None else context.continue_multi_round
    )
    rejection, answer = _words(request.rejection), _words(request.answer)
    if continues and request.rejection is not None and rejection is None:
        raise InvalidInput("excel_rejection_empty", field="rejection")  # must never pass for consent
    given = (request.edited_plan, rejection, answer)
    history = request.previous_steps_history or context.previous_steps_history or []
    rounds = request.previous_rounds if request.previous_rounds is not None else context.previous_rounds
    return ChannelRequest(
        operation=request.operation.strip(),
        channel=_words(request.channel_id) or _words(context.channel_id),
        language=requested_language(request),
        accepted=accepted,
        sheets=_sheets(context.spreadsheet_data.sheets if context.spreadsheet_data is not None else []),
        uid=request.uid or "",
        goes_on=bool(continues) or any(one is not None for one in given),
        request_id=_words(request.request_id),
        edited_plan=_steps(request),
        rejection=rejection,
        answer=answer,
        previous_rounds=max((step.round or 0 for step in history), default=0) if rounds is None else rounds,
        previous_steps=_reported_steps(history, rounds),
    )


def requested_language(request: ExcelRequest) -> Language | None:
    """Return the language named by the context, or else that of the text, or None if there is none."""
    named = preferred_language((request.context.language or "").replace("_", "-"), None)
    words = " ".join(filter(None, (request.operation, request.answer, request.rejection)))
    if named is not None or not any(char.isalpha() for char in words):
        return named
    return language_of(words)


def wants_thinking(params: Any) -> bool:
    """Return whether fragments of the model's thinking should be sent."""
    if isinstance(params, dict):
        return all(params.get(name) is not False for name in ("enabled", "enable", "stream"))
    return params is not False


def _words(given: str | None) -> str | None:
    """Return None for blank text, which clients send for fields they do not set."""
    return given if given is not None and given.strip() else None


def _reported_steps(history: list[HistoryStep], rounds: int | None) -> tuple[ReportedStep, ...]:
    """Return the steps that the client remembers; steps without a round count as part of the last."""
    named = [step for step in history if step.function.strip()]
    return tuple(
        ReportedStep(
            round=step.round or rounds or 1,
            step=step.step or place,
            function=step.function.strip(),
            parameters=step.parameters or {},
        )
        for place, step in enumerate(named[-STEPS_TOLD:], 1)
    )


def _sheets(sheets: list[SheetIn]) -> tuple[ClientSheet, ...]:
    names: set[str] = set()
    cells = 0
    read: list[ClientSheet] = []
    for place, sheet in enumerate(sheets):
        where = f"{SHEETS}.{place}"
        if not SHEET_NAME.fullmatch(sheet.name):
            raise InvalidInput("sheet_name_invalid", field=f"{where}.name", name=sheet.name)
        if sheet.name.casefold() in names:
            raise InvalidInput("excel_sheet_twice", field=f"{where}.name", sheet=sheet.name)
        names.add(sheet.name.casefold())
        cells += sum(len(row) for row in sheet.data)
        if cells > CELLS_TAKEN:
            raise InvalidInput("excel_too_many_cells", field=f"{where}.data", limit=CELLS_TAKEN)
        read.append(client_sheet(sheet.name, sheet.data, sheet.range, where=where))
    return tuple(read)


def _steps(request: ExcelRequest) -> tuple[dict[str, Any], ...] | None:
    plan = request.edited_plan
    if plan is None:
        return None
    return tuple(_step(place, step) for place, step in enumerate(plan.execution_plan, 1))


def _step(place: int, step: StepIn) -> dict[str, Any]:
    return {
        "step": step.step or place,
        "function": step.function,
        "parameters": step.parameters,
        "description": step.description,
    }
