"""The stage after a report: its code is kept as files, and placeholders take its place."""

from __future__ import annotations

from dataclasses import replace

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Emit
from tablewright.agent.structured.saved_code import without_code
from tablewright.domain.events import CodeSaved
from tablewright.domain.structured import StructuredAnswer

MIME = "text/x-python"


class CodeKeeping:
    """A `FinishStage` that keeps each block of code once, also if the run was interrupted here."""

    async def finish(
        self, answer: StructuredAnswer, given: AgentInput, context: AgentContext, emit: Emit
    ) -> StructuredAnswer:
        if answer.report is None:
            return answer
        report = without_code(answer.report, run_id=given.run_id, at=given.asked_at, language=given.language)
        kept = {event.body.code_id for event in given.log if isinstance(event.body, CodeSaved)}
        for block in report.blocks:
            if block.code_id in kept:
                continue
            file = await context.artifacts.put(block.file_name, MIME, block.content.encode())
            emit(
                CodeSaved(
                    code_id=block.code_id,
                    file_id=file.id,
                    file_path=block.file_path,
                    description=block.description,
                    original_length=len(block.content),
                )
            )
        return replace(answer, report=report.text)
