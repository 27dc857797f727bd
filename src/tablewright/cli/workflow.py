"""`tablewright workflow list|validate|run|export|schema [WORKFLOW] [FILE…] [--input NAME=VALUE]`."""

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
from tablewright.cli.output_files import save_files
from tablewright.cli.show.answers import show_answer
from tablewright.cli.show.clean import one_line
from tablewright.cli.show.screens import NoScreen, Screen
from tablewright.cli.sources import check_source
from tablewright.cli.terminal import console_on, exit_of, person_is_there, say, say_end, screen_on, stopping
from tablewright.domain.language import Language
from tablewright.domain.workflow import Workflow
from tablewright.domain.workflow.definition import all_nodes
from tablewright.service.evaluation import result_object
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text
from tablewright.workflows.definition import Unreadable, read, schema, written
from tablewright.workflows.faults import Fault, invalid
from tablewright.workflows.library import template_named, templates
from tablewright.workflows.opening import WORKFLOW, opening
from tablewright.workflows.validate import faults_of
from tablewright.workflows.values import inputs_of


def run(arguments: argparse.Namespace) -> int:
    """Do what the action says and return the exit code."""
    quiet()
    language: Language = arguments.language
    match arguments.action:
        case "list":
            for flow in templates().values():
                print(f"{flow.id}\t{one_line(flow.name)}\t{one_line(flow.description)}")
            return Exit.DONE
        case "schema":
            print(json.dumps(schema(), ensure_ascii=False, indent=2))
            return Exit.DONE
        case "validate":
            return _validate(_name(arguments), language)
        case "export":
            print(written(_checked(_name(arguments), language)))
            return Exit.DONE
        case _:
            return _run(arguments, _checked(_name(arguments), language))


def _name(arguments: argparse.Namespace) -> str:
    if not arguments.words:
        raise WrongUse("cli_workflow_missing")
    return str(arguments.words[0])


def _definition(name: str) -> Workflow:
    """Return the definition in a file, or the template of that name. Raises `WrongUse` or `Unreadable`."""
    path = Path(name)
    if path.is_file():
        return read(path.read_bytes())
    found = template_named(name)
    if found is None:
        raise WrongUse("cli_workflow_no_file", name=name)
    return found


def _faults(name: str) -> tuple[Workflow | None, tuple[Fault, ...]]:
    try:
        workflow = _definition(name)
    except Unreadable as unreadable:
        return None, unreadable.faults
    return workflow, faults_of(workflow, template_named)


def _validate(name: str, language: Language) -> int:
    workflow, faults = _faults(name)
    if workflow is not None and not faults:
        print(text("cli_workflow_well", language, name=one_line(workflow.name), count=len(list(all_nodes(workflow)))))
        return Exit.DONE
    print(text("cli_workflow_faults", language, name=one_line(name), count=len(faults)), file=sys.stderr)
    for fault in faults:
        print(f"  {fault.words(language)}", file=sys.stderr)
    return Exit.FAILED


def _checked(name: str, language: Language) -> Workflow:
    workflow, faults = _faults(name)
    if workflow is None or faults:
        raise invalid(faults, language)
    return workflow


def _run(arguments: argparse.Namespace, workflow: Workflow) -> int:
    given: dict[str, str] = {}
    for each in arguments.input:
        name, sign, value = each.partition("=")
        if not sign:
            raise WrongUse("cli_workflow_input", given=each)
        given[name] = value
    running = WorkflowCommand(arguments, workflow, inputs_of(workflow, given))
    try:
        return asyncio.run(running.run())
    except (KeyboardInterrupt, asyncio.CancelledError):
        running.screen.close()
        print(text("cli_stopped", arguments.language), file=sys.stderr)
        return Exit.STOPPED


class WorkflowCommand:
    """One run of a workflow, from its files to its exit code."""

    def __init__(self, arguments: argparse.Namespace, workflow: Workflow, inputs: dict[str, object]) -> None:
        self._arguments = arguments
        self._workflow = workflow
        self._inputs = inputs
        self._paths = [Path(word) for word in arguments.words[1:]]
        self._language: Language = arguments.language
        self._console = console_on(sys.stdout)
        self._started = time.monotonic()
        self.screen: Screen = NoScreen()
        for path in self._paths:
            check_source(path)

    async def run(self) -> int:
        """Connect, upload the files, run and show the answer; return the exit code."""
        arguments = self._arguments
        async with client(arguments) as service:
            if not arguments.json:
                self.screen = screen_on(self._console, self._language)
            try:
                await service.check_model(arguments.model)
                conversation = await service.start_conversation(self._workflow.name, self._language)
                file_ids = [await self._upload(service, path, conversation.id) for path in self._paths]
                run_id = await service.ask(conversation.id, self._question(tuple(file_ids)))
                with stopping(service, run_id, self._language):
                    asks = person_is_there() and not arguments.json
                    ask = asking_person(self._language) if asks else None
                    followed = await follow(service, run_id, self.screen, ask, attended=not arguments.yes)
            finally:
                self.screen.close()
            return await self._conclude(service, conversation.id, followed)

    def _question(self, file_ids: tuple[str, ...]) -> Question:
        return Question(
            text=self._workflow.name,
            file_ids=file_ids,
            language=self._language,
            model=self._arguments.model,
            approvals="auto" if self._arguments.yes else "ask",
            mode="workflow",
            agent=WORKFLOW,
            opening=(opening(self._workflow, self._inputs),),
        )

    async def _upload(self, service: Client, path: Path, conversation_id: str) -> str:
        self.screen.say(text("cli_reading", self._language, name=one_line(path.name)))
        return (await service.upload(path, conversation_id)).id

    async def _conclude(self, service: Client, conversation_id: str, followed: Followed) -> int:
        out = Path(self._arguments.out) if self._arguments.out else Path()
        if self._arguments.json:
            ended = await answered(service, followed, out, self._language)
            told = result_object(followed.run_id, ended, seconds=time.monotonic() - self._started)
            outputs = {} if followed.answer is None else followed.answer.outputs
            print(json.dumps(told | {"outputs": outputs}, ensure_ascii=False))
            return exit_of(followed)
        if followed.answer is not None:
            show_answer(self._console, followed.answer, self._language)
        for path in await save_files(service, followed.files, out):
            say(self._console, text("cli_saved", self._language, path=path))
        say_end(self._console, conversation_id, followed, self._language)
        return exit_of(followed)
