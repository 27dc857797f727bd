"""Lines about structured rounds: what a round is about, and its calls as they begin and end."""

from __future__ import annotations

from typing import assert_never

from rich.text import Text

from tablewright.cli.show.clean import one_line
from tablewright.domain.events import (
    CodeRetrieved,
    CodeSaved,
    ContextCleaned,
    RoundAnswered,
    StructuredEvent,
    ToolFinished,
    ToolStarted,
)
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

PLAN_CHARS = 200


def structured_lines(body: StructuredEvent, language: Language) -> list[Text]:
    """Return what a person is shown of an event of structured rounds."""
    match body:
        case RoundAnswered(answer=answer):
            plan = one_line(answer.execution_plan or answer.task_analysis)[:PLAN_CHARS]
            code = "cli_round_report" if answer.report is not None else "cli_round"
            return [Text(text(code, language, round=answer.current_round, plan=plan), style="bold")]
        case ToolStarted(name=name):
            return [Text(text("cli_tool_started", language, name=one_line(name)), style="dim")]
        case ToolFinished(name=name, failed=failed, elapsed_s=elapsed_s):
            code = "cli_tool_failed" if failed else "cli_tool_finished"
            words = text(code, language, name=one_line(name), seconds=f"{elapsed_s:.1f}")
            return [Text(words, style="red" if failed else "green")]
        case CodeSaved(file_path=path):
            return [Text(text("cli_code_saved", language, path=one_line(path)))]
        case CodeRetrieved() | ContextCleaned():
            return []
        case _:
            assert_never(body)
