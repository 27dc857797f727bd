"""The words that a tenant teaches, and the readings that were chosen among several."""

from __future__ import annotations

from fastapi import APIRouter

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import faults
from tablewright.api.schemas.vocabulary import KeptWordOut, NewWord, WordOut, WordsOut

router = APIRouter(prefix="/words", tags=["words"])


@router.get("", responses=faults())
async def find(parts: Parts, caller: Caller) -> WordsOut:
    """List the words of the tenant and the readings that were chosen in it, the oldest first."""
    return WordsOut(items=[WordOut.model_validate(entry) for entry in await parts.vocabulary.all(caller)])


@router.post("", status_code=201, responses=faults(409, 422))
async def add(parts: Parts, caller: Caller, word: NewWord) -> KeptWordOut:
    """Say what a word stands for; questions of the whole tenant are read with it from now on."""
    kept = await parts.vocabulary.add(caller, word.phrase, word.meaning)
    return KeptWordOut(**WordOut.model_validate(kept.entry).model_dump(), found=kept.found)


@router.delete("/{word_id}", status_code=204, responses=faults(403, 404))
async def delete(parts: Parts, caller: Caller, word_id: str) -> None:
    """Remove a word or a chosen reading: an own one, or as an operator."""
    await parts.vocabulary.remove(caller, word_id)
