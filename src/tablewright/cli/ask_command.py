"""A question of the command line, from its files to its answer."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from tablewright.cli.answers import answered
from tablewright.cli.clients.base import Client, Question
from tablewright.cli.follower import Followed, asking_person, follow
from tablewright.cli.output_files import save_files
from tablewright.cli.show.answers import show_answer
from tablewright.cli.show.clean import one_line
from tablewright.cli.show.screens import NoScreen, Screen
from tablewright.cli.sources import check_source, is_connection_name
from tablewright.cli.terminal import console_on, exit_of, person_is_there, say, say_end, screen_on, stopping
from tablewright.data.sql.address import is_address
from tablewright.domain.conversation import Conversation
from tablewright.domain.language import Language
from tablewright.domain.run import OpenRequest
from tablewright.service.chats.answers import answer_in_words
from tablewright.service.evaluation import result_object
from tablewright.texts.catalogue import text


class AskCommand:
    """One `ask` command, from its files to its exit code."""

    def __init__(self, arguments: argparse.Namespace, sources: list[str], question: str, started: float) -> None:
        self._arguments = arguments
        self._sources = sources
        self._question = question
        self._language: Language = arguments.language
        self._console = console_on(sys.stdout)
        self._started = started
        self.screen: Screen = NoScreen()

    async def run(self, service: Client) -> int:
        """Upload the files, ask and show the answer; return the exit code."""
        self.screen = self._screen()
        try:
            await service.check_model(self._arguments.model)
            conversation = await self._conversation(service)
            waiting = await self._waiting(service)
            file_ids = [own for source in self._sources for own in await self._given(service, source, conversation)]
            run_id = await self._begun(service, conversation, waiting, file_ids)
            with stopping(service, run_id, self._language):
                ask = asking_person(self._language) if self._asks else None
                followed = await follow(
                    service,
                    run_id,
                    self.screen,
                    ask,
                    attended=not self._arguments.yes,
                    answered=None if waiting is None else waiting.id,
                )
        finally:
            self.screen.close()
        return await self._conclude(service, conversation, followed)

    @property
    def _asks(self) -> bool:
        """Whether there is a person to ask."""
        return person_is_there() and not self._arguments.json

    def _screen(self) -> Screen:
        if self._arguments.json:
            return NoScreen()
        return screen_on(self._console, self._language)

    async def _conversation(self, service: Client) -> Conversation:
        if self._arguments.conversation:
            return await service.conversation(self._arguments.conversation)
        return await service.start_conversation("", self._language)

    async def _begun(
        self, service: Client, conversation: Conversation, waiting: OpenRequest | None, file_ids: list[str]
    ) -> str:
        """Ask, or answer what a run waits for; return the run's id."""
        if waiting is not None:
            await service.answer(waiting.run_id, waiting.id, answer_in_words(waiting, self._question, ()))
            return waiting.run_id
        question = Question(
            text=self._question,
            file_ids=tuple(file_ids),
            language=self._language,
            model=self._arguments.model,
            approvals="auto" if self._arguments.yes else "ask",
        )
        return await service.ask(conversation.id, question)

    async def _waiting(self, service: Client) -> OpenRequest | None:
        """Return the question that the words answer: that of a run which waits in the conversation."""
        if not self._arguments.conversation or self._sources:
            return None
        return await service.questions.waiting(self._arguments.conversation)

    async def _given(self, service: Client, source: str, conversation: Conversation) -> tuple[str, ...]:
        """Return the files of a source: the one that it is, or those with tables of the database that it names."""
        if not is_address(source) and not (is_connection_name(source) and await service.databases.known(source)):
            check_source(Path(source))
            return (await self._upload(service, Path(source), conversation),)
        attached = await service.databases.attach(source, self._question, conversation.id)
        for note in attached.notes:
            print(text(note.code, self._language, **note.params), file=sys.stderr)
        return attached.file_ids

    async def _upload(self, service: Client, path: Path, conversation: Conversation) -> str:
        self.screen.say(text("cli_reading", self._language, name=one_line(path.name)))
        return (await service.upload(path, conversation.id)).id

    async def _conclude(self, service: Client, conversation: Conversation, followed: Followed) -> int:
        out = Path(self._arguments.out or ".")
        if self._arguments.json:
            return await self._print_json(service, followed, out)
        if followed.answer is not None:
            show_answer(self._console, followed.answer, self._language)
        for path in await save_files(service, followed.files, out):
            say(self._console, text("cli_saved", self._language, path=path))
        self._say_end(conversation, followed)
        return exit_of(followed)

    def _say_end(self, conversation: Conversation, followed: Followed) -> None:
        say_end(self._console, conversation.id, followed, self._language)
        if self._console.is_terminal and followed.outcome == "completed":
            self._console.print()
            self._console.print(
                text("cli_conversation", self._language, id=conversation.id), style="dim", soft_wrap=True
            )

    async def _print_json(self, service: Client, followed: Followed, out: Path) -> int:
        ended = await answered(service, followed, out, self._language)
        seconds = time.monotonic() - self._started
        print(json.dumps(result_object(followed.run_id, ended, seconds=seconds), ensure_ascii=False))
        return exit_of(followed)
