"""`tablewright edit FILE INSTRUCTION`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path

from tablewright.cli.answers import answered
from tablewright.cli.clients.base import Client, Question
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.follower import Followed, asking_person, follow
from tablewright.cli.plan_files import executed_steps, free_for_plan, write_plan
from tablewright.cli.show.answers import show_answer
from tablewright.cli.show.clean import one_line
from tablewright.cli.show.plans import change_lines, round_lines
from tablewright.cli.show.screens import NoScreen, Screen
from tablewright.cli.sources import check_source
from tablewright.cli.targets import guarded_in, result_of, target_for, write
from tablewright.cli.terminal import console_on, exit_of, person_is_there, say, say_end, screen_on, stopping
from tablewright.domain.language import Language, language_of
from tablewright.service.evaluation import result_object
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text


def run(arguments: argparse.Namespace) -> int:
    """Plan, ask for confirmation, execute, write the result, and return the exit code."""
    quiet()
    source, instruction = Path(arguments.file), arguments.instruction
    arguments.language = language_of(instruction, arguments.language)
    check_source(source)
    if not instruction.strip():
        raise WrongUse("cli_no_instruction")
    editing = EditCommand(arguments, source, instruction)
    try:
        return asyncio.run(editing.run())
    except (KeyboardInterrupt, asyncio.CancelledError):
        editing.screen.close()
        print(text("cli_stopped", arguments.language), file=sys.stderr)
        return Exit.STOPPED


class EditCommand:
    """One `edit` command, from its file to its exit code."""

    def __init__(self, arguments: argparse.Namespace, source: Path, instruction: str) -> None:
        self._arguments = arguments
        self._source = source
        self._instruction = instruction
        self._language: Language = arguments.language
        self._console = console_on(sys.stdout)
        self._started = time.monotonic()
        self._target = target_for(source, arguments.out, guard=not arguments.no_guard)
        self._plan_path = free_for_plan(arguments.save_plan)
        self.screen: Screen = NoScreen()

    async def run(self) -> int:
        """Connect, upload the file, have it edited and write the result; return the exit code."""
        async with client(self._arguments) as service:
            if not self._arguments.json:
                self.screen = screen_on(self._console, self._language)
            try:
                await service.check_model(self._arguments.model)
                conversation = await service.start_conversation("", self._language)
                self.screen.say(text("cli_reading", self._language, name=one_line(self._source.name)))
                file = await service.upload(self._source, conversation.id, tables_needed=False)
                followed = await self._followed(service, conversation.id, file.id)
            finally:
                self.screen.close()
            return await self._conclude(service, conversation.id, file.id, followed)

    async def _followed(self, service: Client, conversation_id: str, file_id: str) -> Followed:
        question = Question(
            text=self._instruction,
            file_ids=(file_id,),
            language=self._language,
            model=self._arguments.model,
            approvals="auto" if self._arguments.yes else "ask",
            mode="edit",
        )
        run_id = await service.ask(conversation_id, question)
        with stopping(service, run_id, self._language):
            asks = person_is_there() and not self._arguments.json
            ask = asking_person(self._language) if asks else None
            return await follow(service, run_id, self.screen, ask, attended=not self._arguments.yes)

    async def _conclude(self, service: Client, conversation_id: str, file_id: str, followed: Followed) -> int:
        written = await self._written(service, file_id, followed)
        plan_path = await self._saved_plan(service, file_id, followed)
        if self._arguments.json:
            await self._print_json(service, followed, written)
            return exit_of(followed)
        self._show(followed)
        if written is not None:
            say(self._console, text("cli_saved", self._language, path=written))
            if count := guarded_in(written, self._target):
                say(self._console, text("cli_guarded", self._language, count=count))
            if written != self._target.path:
                say(self._console, text("cli_beside", self._language, path=self._target.path))
        elif followed.rounds:
            say(self._console, text("cli_unchanged", self._language))
        if plan_path is not None:
            say(self._console, text("cli_plan_saved", self._language, path=plan_path))
        say_end(self._console, conversation_id, followed, self._language)
        if followed.waiting is not None and followed.plan is not None and plan_path is None:
            say(self._console, text("cli_plan_hint", self._language))
        return exit_of(followed)

    def _show(self, followed: Followed) -> None:
        if self._arguments.diff:
            for executed in followed.rounds:
                for line in change_lines(executed.changes, self._language):
                    self._console.print(line, soft_wrap=True)
        if followed.answer is not None:
            show_answer(self._console, followed.answer, self._language)
        else:
            for executed in followed.rounds:
                for line in round_lines(executed, self._language):
                    self._console.print(line, soft_wrap=True)

    async def _written(self, service: Client, file_id: str, followed: Followed) -> Path | None:
        """Write the workbook if anything was changed."""
        if all(executed.version is None for executed in followed.rounds):
            return None
        return await write(self._target, result_of(service, file_id, self._target, followed.rounds))

    async def _saved_plan(self, service: Client, file_id: str, followed: Followed) -> Path | None:
        """Save the executed steps, or the proposed ones if nobody was there to confirm them."""
        if self._plan_path is None or followed.plan is None:
            return None
        proposed = followed.plan.steps if followed.waiting is not None else ()
        steps = executed_steps(followed.rounds) or proposed
        if not steps:
            return None
        plan = await service.plan_file(file_id, steps, version=1, request=self._instruction)
        return write_plan(self._plan_path, plan)

    async def _print_json(self, service: Client, followed: Followed, written: Path | None) -> None:
        files = (Path.cwd() / written,) if written else ()
        ended = await answered(service, followed, self._target.path.parent, self._language, files=files)
        seconds = time.monotonic() - self._started
        told = result_object(followed.run_id, ended, seconds=seconds)
        if written and (count := guarded_in(written, self._target)):
            told["guarded"] = count
        print(json.dumps(told, ensure_ascii=False))
