"""The sample files that come along."""

from __future__ import annotations

from fastapi import APIRouter

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.routes.files import shown
from tablewright.api.schemas.native import FileOut, PageOf, SamplesOut, SamplesWanted
from tablewright.samples import example_questions
from tablewright.service.samples import add_samples, samples_in

router = APIRouter(prefix="/samples", tags=["samples"])


@router.get("", responses=faults())
async def samples(speech: Speech) -> SamplesOut:
    """Name the sample files in the caller's language and questions that they answer."""
    return SamplesOut(files=[path.name for path in samples_in(speech)], questions=list(example_questions(speech)))


@router.post("", status_code=201, responses=faults(404, 422))
async def add(parts: Parts, caller: Caller, speech: Speech, wanted: SamplesWanted) -> PageOf[FileOut]:
    """Give the sample files in the caller's language to a conversation."""
    files = await add_samples(parts, caller, wanted.conversation_id, speech)
    return PageOf[FileOut](items=[shown(file) for file in files])
