"""One run of a workflow from the command line: of a file, a template, or a stored workflow."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablewright.cli.answers import answered
from tablewright.cli.clients.base import Client, Question, WorkflowStart
from tablewright.cli.connection import client
from tablewright.cli.exits import WrongUse
from tablewright.cli.follower import Followed, asking_person, follow
from tablewright.cli.output_files import save_files
from tablewright.cli.show.answers import show_answer
from tablewright.cli.show.clean import one_line
from tablewright.cli.show.screens import NoScreen, Screen
from tablewright.cli.sources import check_source
from tablewright.cli.terminal import console_on, exit_of, person_is_there, say, say_end, screen_on, stopping
from tablewright.domain.language import Language
from tablewright.domain.workflow import Workflow
from tablewright.errors import NotFound, WorkflowInvalid
from tablewright.service.evaluation import result_object
from tablewright.texts.catalogue import text
from tablewright.workflows.definition import of_values
from tablewright.workflows.library import template_named
from tablewright.workflows.opening import WORKFLOW, opening
from tablewright.workflows.values import files_of, inputs_of


class WorkflowCommand:
    """One run of a workflow, from its files to its exit code."""

    def __init__(
        self, arguments: argparse.Namespace, name: str, file: Mapping[str, Any] | None, inputs: Mapping[str, str]
    ) -> None:
        self._arguments = arguments
        self._name = name
        self._file = file
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
                title = await self._title(service)
                workflow = await self._checked(service)
                conversation = await service.start_conversation(title, self._language)
                file_ids = tuple([await self._upload(service, path, conversation.id) for path in self._paths])
                if workflow is not None:
                    run_id = await service.ask(conversation.id, self._question(workflow, file_ids))
                else:
                    run_id = await service.workflows.run(self._name, self._start(conversation.id, file_ids))
                with stopping(service, run_id, self._language):
                    asks = person_is_there() and not arguments.json
                    ask = asking_person(self._language) if asks else None
                    followed = await follow(service, run_id, self.screen, ask, attended=not arguments.yes)
            finally:
                self.screen.close()
            return await self._conclude(service, conversation.id, followed)

    async def _title(self, service: Client) -> str:
        """Return the name of the workflow. Raises `WrongUse` where there is none."""
        if self._file is not None:
            return str(self._file.get("name") or self._name)
        if (template := template_named(self._name)) is not None:
            return template.name
        try:
            return str((await service.workflows.file(self._name)).get("name") or self._name)
        except NotFound as error:
            raise WrongUse("cli_workflow_no_file", name=self._name) from error

    async def _checked(self, service: Client) -> Workflow | None:
        """Return the workflow that the file defines, if there is one. Raises `WorkflowInvalid`."""
        if self._file is None:
            return None
        if faults := await service.workflows.check(self._file, self._language):
            told = " ".join(f"({number}) {fault}" for number, fault in enumerate(faults, 1))
            raise WorkflowInvalid(message=told, count=len(faults))
        workflow = of_values(self._file)
        inputs_of(workflow, self._inputs, [str(path) for path in self._paths])
        return workflow

    def _question(self, workflow: Workflow, file_ids: tuple[str, ...]) -> Question:
        inputs = inputs_of(workflow, self._inputs, file_ids)
        return Question(
            text=workflow.name or workflow.id,
            file_ids=files_of(workflow, inputs, file_ids),
            language=self._language,
            model=self._arguments.model,
            approvals="auto" if self._arguments.yes else "ask",
            mode="workflow",
            agent=WORKFLOW,
            opening=(opening(workflow, inputs),),
        )

    def _start(self, conversation_id: str, file_ids: tuple[str, ...]) -> WorkflowStart:
        return WorkflowStart(
            inputs=self._inputs,
            conversation_id=conversation_id,
            file_ids=file_ids,
            language=self._language,
            model=self._arguments.model,
            approvals="auto" if self._arguments.yes else "ask",
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
