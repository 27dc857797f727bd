"""What holds for every run in structured rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tablewright.agent.structured.code_keeping import CodeKeeping
from tablewright.agent.structured.context import CleanedContext
from tablewright.agent.structured.stages import CleanStage, FinishStage


@dataclass(frozen=True, slots=True, kw_only=True)
class StructuredRules:
    """`prompts` is the file with the system prompts (None: the one that ships); about `database_tokens` tokens tell of
    the databases that may be queried.

    The report must be written once `time_share` of the time is over, or once another `calls_kept` calls as large as the
    last one would use up the tokens.
    """

    prompts: Path | None = None
    database_tokens: int = 3_000
    call_timeout_s: float = 330.0
    time_share: float = 0.8
    calls_kept: float = 2.5
    clean: CleanStage = field(default_factory=CleanedContext)
    finish: FinishStage = field(default_factory=CodeKeeping)
