"""Shared conversations on the wire."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import assert_never

from tablewright.api.schemas.shares import SharedOut, SharedOutput, SharedRunOut, SharedStep, SharedTurnOut, ShareOut
from tablewright.domain.events import (
    ArtifactCreated,
    OutputChart,
    OutputError,
    OutputHtml,
    OutputImage,
    OutputTable,
    OutputText,
)
from tablewright.service.exports.page import ShownStep
from tablewright.service.shares.shared import SharedConversation, SharedRun, SharedTurn
from tablewright.service.shares.shares import ShareView


def share_out(view: ShareView) -> ShareOut:
    """Return a link as its owner sees it."""
    share = view.share
    return ShareOut(
        id=share.id,
        conversation_id=share.conversation_id,
        state=view.state,
        created_at=share.created_at,
        expires_at=share.expires_at,
        revoked_at=share.revoked_at,
    )


def shared_out(shared: SharedConversation) -> SharedOut:
    """Return a conversation as whoever has a link sees it."""
    return SharedOut(
        title=shared.conversation.title,
        language=shared.conversation.language,
        created_at=shared.share.created_at,
        expires_at=shared.share.expires_at,
        shortened=shared.shortened,
        turns=[_turn(turn) for turn in shared.turns],
    )


def _turn(turn: SharedTurn) -> SharedTurnOut:
    run = None if turn.run is None else _run(turn.run)
    return SharedTurnOut(author=turn.author, text=turn.text, at=turn.at, run=run)


def _run(shared: SharedRun) -> SharedRunOut:
    run, answer = shared.run, shared.run.answer
    return SharedRunOut(
        model=run.model,
        outcome=run.outcome,
        answer=None if answer is None else answer.text,
        table=None if answer is None else answer.table,
        charts=[] if answer is None else list(answer.charts),
        files=list(shared.names),
        made=[] if answer is None else [file.name for file in answer.files],
        steps=[_step(step, shared) for step in shared.steps],
    )


def _step(step: ShownStep, shared: SharedRun) -> SharedStep:
    return SharedStep(name=step.name, code=step.code, status=step.status, outputs=list(_outputs(step, shared)))


def _outputs(step: ShownStep, shared: SharedRun) -> Iterator[SharedOutput]:
    for body in step.outputs:
        match body:
            case OutputText():
                yield SharedOutput(kind="text", text=body.text)
            case OutputError():
                yield SharedOutput(kind="error", text=f"{body.name}: {body.message}")
            case OutputTable():
                yield SharedOutput(kind="table", table=body.table)
            case OutputChart():
                yield SharedOutput(kind="chart", chart=body.chart)
            case OutputImage():
                content = shared.images.get(body.image.id)
                png = None if content is None else base64.b64encode(content).decode()
                yield SharedOutput(kind="image", name=body.image.name, png=png)
            case OutputHtml() | ArtifactCreated():  # nothing of it is read of a shared run
                pass
            case _:
                assert_never(body)
