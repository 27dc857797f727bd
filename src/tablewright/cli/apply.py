"""`tablewright apply PLAN FILE`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from rich.console import Console

from tablewright.cli.clients.base import Client
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit
from tablewright.cli.plan_files import read_plan
from tablewright.cli.plan_review import YES
from tablewright.cli.show.clean import one_line
from tablewright.cli.show.plans import change_lines, notice_line, plan_lines, round_lines
from tablewright.cli.sources import check_source
from tablewright.cli.targets import OutputTarget, guarded_in, result_of, target_for, write
from tablewright.cli.terminal import complain, console_on, person_is_there, say
from tablewright.domain.language import Language, language_of
from tablewright.domain.plan_file import FittedPlan, PlanFile
from tablewright.domain.rounds.round import Round
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text


def run(arguments: argparse.Namespace) -> int:
    """Fit a saved plan to a workbook, ask, execute it, and return the exit code."""
    quiet()
    saved, source = Path(arguments.plan), Path(arguments.file)
    check_source(saved)
    check_source(source)
    plan = read_plan(saved)
    arguments.language = language_of(plan.request, arguments.language)
    applying = ApplyCommand(arguments, plan, source, target_for(source, arguments.out, guard=not arguments.no_guard))
    try:
        return asyncio.run(applying.run())
    except (KeyboardInterrupt, asyncio.CancelledError):
        complain(text("cli_stopped", arguments.language))
        return Exit.STOPPED


class ApplyCommand:
    """One `apply` command, from its files to its exit code."""

    def __init__(self, arguments: argparse.Namespace, plan: PlanFile, source: Path, target: OutputTarget) -> None:
        self._arguments = arguments
        self._plan = plan
        self._source = source
        self._target = target
        self._language: Language = arguments.language
        self._console: Console = console_on(sys.stdout)

    async def run(self) -> int:
        """Connect, upload the file, fit the plan, and execute it if the person agrees; return the exit code."""
        async with client(self._arguments) as service:
            conversation = await service.start_conversation(self._plan.request, self._language)
            say(self._console, text("cli_reading", self._language, name=one_line(self._source.name)))
            file = await service.upload(self._source, conversation.id, tables_needed=False)
            fitted = await service.fit(file.id, self._plan)
            if fitted.differences:
                return self._refused(fitted)
            self._show(fitted)
            if not self._arguments.yes:
                if not person_is_there():
                    say(self._console, text("cli_apply_waits", self._language))
                    return Exit.DECLINED
                if not await self._agreed():
                    return Exit.DECLINED
            executed = await service.apply(file.id, self._plan, base_version=fitted.base_version)
            return await self._conclude(service, file.id, executed)

    def _refused(self, fitted: FittedPlan) -> int:
        complain(text("cli_shape_differs", self._language, name=one_line(self._source.name)))
        for notice in fitted.differences:
            complain(f"  · {notice_line(notice, self._language)}")
        return Exit.FAILED

    def _show(self, fitted: FittedPlan) -> None:
        for line in plan_lines(fitted.steps, fitted.problems, self._language):
            self._console.print(line, soft_wrap=True)
        for loss in fitted.losses:
            say(self._console, f"! {notice_line(loss, self._language)}")

    async def _agreed(self) -> bool:
        said = await asyncio.to_thread(input, text("cli_apply_ask", self._language))
        return said.strip().lower() in YES

    async def _conclude(self, service: Client, file_id: str, executed: Round) -> int:
        for line in round_lines(executed, self._language):
            self._console.print(line, soft_wrap=True)
        if self._arguments.diff:
            for line in change_lines(executed.changes, self._language):
                self._console.print(line, soft_wrap=True)
        if executed.version is None:
            say(self._console, text("cli_unchanged", self._language))
        else:
            written = await write(self._target, result_of(service, file_id, self._target, (executed,)))
            say(self._console, text("cli_saved", self._language, path=written))
            if count := guarded_in(written, self._target):
                say(self._console, text("cli_guarded", self._language, count=count))
        return Exit.FAILED if executed.failed or executed.rolled_back else Exit.DONE
