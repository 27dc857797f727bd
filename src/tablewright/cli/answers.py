"""Converts a followed run to the answer format for programs."""

from __future__ import annotations

from pathlib import Path

from tablewright.cli.clients.base import Client
from tablewright.cli.follower import Followed
from tablewright.cli.output_files import save_files
from tablewright.domain.language import Language
from tablewright.domain.offer import numbered
from tablewright.service.evaluation import CaseAnswer
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text


async def answered(
    service: Client, followed: Followed, folder: Path, language: Language, *, files: tuple[Path, ...] | None = None
) -> CaseAnswer:
    """Return how the run ended.

    Its files are copied into `folder` unless `files` says where they were already written.
    """
    if files is None:
        files = tuple(await save_files(service, followed.files, folder))
    message = ""
    if followed.waiting is not None:
        message = numbered(followed.waiting, followed.options)
    elif followed.failure is not None:
        message = error_text(followed.failure.code, language, followed.failure.params)
    elif followed.outcome == "cancelled":
        message = text("cli_stopped", language)
    elif followed.outcome == "superseded":
        message = text("cli_superseded", language)
    offered = followed.readings if followed.answer is None else followed.answer.readings
    return CaseAnswer(outcome=followed.outcome, answer=followed.answer, message=message, files=files, readings=offered)
