"""Links to conversations over HTTP, and what they show."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from tablewright.api.schemas.native import WireModel
from tablewright.domain.answer import Outcome
from tablewright.domain.chart import Chart
from tablewright.domain.conversation import Author
from tablewright.domain.language import Language
from tablewright.domain.share import ShareState
from tablewright.domain.table import Table


class NewShareIn(WireModel):
    """For how many days a new link is open; left out, as many as `shares.days` says."""

    days: int | None = None


class ShareOut(WireModel):
    """A link to a conversation, without the token that opens it."""

    id: str
    conversation_id: str
    state: ShareState
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


class ShareMade(ShareOut):
    """A new link: the `token` that opens it and the `path` of its page, which are told this once."""

    token: str
    path: str


class SharesOut(WireModel):
    """Links, newest first."""

    items: list[ShareOut]


class SharedOutput(WireModel):
    """What a step put out: a `text`, an error as `text`, a `table`, a `chart`, or an image called `name`.

    `png` is the image in base64, null where it is not there any more or too large."""

    kind: Literal["text", "error", "table", "chart", "image"]
    text: str | None = None
    table: Table | None = None
    chart: Chart | None = None
    name: str | None = None
    png: str | None = None


class SharedStep(WireModel):
    """A step that ran; `status` is `ok` where it ended well."""

    name: str
    code: str
    status: str
    outputs: list[SharedOutput]


class SharedRunOut(WireModel):
    """What came of a question. `files` and `made` are names of files that it was given and that it made."""

    model: str
    outcome: Outcome | None
    answer: str | None
    table: Table | None
    charts: list[Chart]
    files: list[str]
    made: list[str]
    steps: list[SharedStep]


class SharedTurnOut(WireModel):
    """Something that was said, and what came of it if it was a question."""

    author: Author
    text: str
    at: datetime
    run: SharedRunOut | None


class SharedOut(WireModel):
    """A conversation as a link shows it; `shortened`: earlier messages are left out."""

    title: str
    language: Language
    created_at: datetime
    expires_at: datetime
    shortened: bool
    turns: list[SharedTurnOut]
