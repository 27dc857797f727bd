"""Of the questions that a report would recommend, those that are answered when they are asked next."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from tablewright.analyst.base import Understanding, Understood
from tablewright.domain.task import AnalyzeTable, StructuredRound

MOST = 4
READ_S = 20.0
"""Questions that are not read by then are recommended unread: that they can be computed is known."""
_KEY = "recommended_questions"


async def answerable(said: str, task: StructuredRound, read: Callable[[AnalyzeTable], Awaitable[Understanding]]) -> str:
    """Return the answer of a round with up to `MOST` of its questions: those that `read` is sure of.

    A question may have been computed by one of its readings, and still be one that would be asked back.
    """
    answer = json.loads(said)
    questions = answer["action"].pop(_KEY, None)
    if not questions:
        return said
    kept: list[str] = []
    left = list(questions)
    try:
        async with asyncio.timeout(READ_S):
            while left and len(kept) < MOST:
                question = left[0]
                asked = AnalyzeTable(
                    question=question, language=task.language, datasets=task.datasets, relations=task.relations
                )
                if isinstance(await read(asked), Understood):
                    kept.append(question)
                left.pop(0)
    except TimeoutError:
        kept += left[: MOST - len(kept)]
    if kept:
        answer["action"][_KEY] = kept
    return json.dumps(answer, ensure_ascii=False)
