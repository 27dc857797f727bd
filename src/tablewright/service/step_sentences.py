"""Steps of a plan as sentences: what is shown of a step that a person has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tablewright.domain.language import Language
from tablewright.domain.rounds.plan import PlanStep


async def step_sentences(steps: Sequence[PlanStep], language: Language) -> list[str]:
    """Return one sentence per step in `language`; nothing of a step that is no operation yet."""
    return await asyncio.to_thread(_sentences, steps, language)


def _sentences(steps: Sequence[PlanStep], language: Language) -> list[str]:
    # The analyst is large: it is imported with the first step that somebody changes.
    from tablewright.analyst.operating.describing import described
    from tablewright.analyst.operating.op import Op

    return [
        described(Op(function=step.function, parameters=dict(step.parameters)), language) if step.operation else ""
        for step in steps
    ]
