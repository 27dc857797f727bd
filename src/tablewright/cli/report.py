"""`tablewright report FILE… ["WHAT MATTERS"]`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from dataclasses import replace
from pathlib import Path

from tablewright.cli.answers import answered
from tablewright.cli.clients.base import Client, ExportKind, Question
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.follower import Followed, follow
from tablewright.cli.output_files import names_of_report, save_files
from tablewright.cli.report_object import report_object
from tablewright.cli.show.answers import show_answer, show_suggestions
from tablewright.cli.show.clean import one_line, readable
from tablewright.cli.show.screens import NoScreen, Screen
from tablewright.cli.sources import check_source
from tablewright.cli.terminal import console_on, exit_of, say, say_end, screen_on, stopping
from tablewright.domain.language import Language, language_of
from tablewright.service.evaluation import result_object
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text

KINDS: dict[str, ExportKind] = {
    ".slides.html": "report.slides.html",
    ".md": "report.md",
    ".markdown": "report.md",
    ".html": "report.html",
    ".htm": "report.html",
    ".docx": "report.docx",
    ".xlsx": "report.xlsx",
    ".pdf": "report.pdf",
}
POSSIBLE = ".html, .slides.html, .md, .docx, .xlsx, .pdf"


def run(arguments: argparse.Namespace) -> int:
    """Report on the files, show or write the report, and return the exit code."""
    quiet()
    paths, wish = read_words(arguments.words)
    arguments.language = language_of(wish, arguments.language)
    target = target_of(arguments.out)
    reporting = ReportCommand(arguments, paths, wish, target)
    try:
        return asyncio.run(reporting.run())
    except (KeyboardInterrupt, asyncio.CancelledError):
        reporting.screen.close()
        print(text("cli_stopped", arguments.language), file=sys.stderr)
        return Exit.STOPPED


def read_words(words: list[str]) -> tuple[list[Path], str]:
    """Split the words into files and what matters to the person, which may come last. Raises `WrongUse`."""
    *names, last = words or [""]
    wish = "" if _is_file(last) else last
    paths = [Path(name) for name in (names if wish else words)]
    if not paths:
        raise WrongUse("cli_report_no_files")
    for path in paths:
        check_source(path)
    return paths, wish


def target_of(out: str | None) -> Path | None:
    """Return where the report goes, or None for the terminal. Raises `WrongUse` for a form that there is not."""
    if out is None:
        return None
    target = Path(out)
    if kind_of(target) is None:
        raise WrongUse("cli_report_kind", name=out, possible=POSSIBLE)
    if target.exists():
        raise WrongUse("cli_out_exists", name=out)
    if not target.parent.is_dir():
        raise WrongUse("cli_export_folder", name=str(target.parent))
    return target


def kind_of(target: Path) -> ExportKind | None:
    """Return the form that a name asks for, or None if there is no such form."""
    name = target.name.lower()
    return next((kind for ending, kind in KINDS.items() if name.endswith(ending) and name != ending), None)


def _is_file(word: str) -> bool:
    """Whether a word names a file: there is one, or it is written like one."""
    return not word or Path(word).exists() or (bool(Path(word).suffix) and not any(map(str.isspace, word)))


class ReportCommand:
    """One `report` command, from its files to its exit code."""

    def __init__(self, arguments: argparse.Namespace, paths: list[Path], wish: str, target: Path | None) -> None:
        self._arguments = arguments
        self._paths = paths
        self._wish = wish
        self._target = target
        self._language: Language = arguments.language
        self._console = console_on(sys.stdout)
        self._started = time.monotonic()
        self.screen: Screen = NoScreen()

    async def run(self) -> int:
        """Connect, upload the files, have the report made and show or write it; return the exit code."""
        async with client(self._arguments) as service:
            if not self._arguments.json:
                self.screen = screen_on(self._console, self._language)
            try:
                await service.check_model(self._arguments.model)
                conversation = await service.start_conversation("", self._language)
                file_ids = [await self._upload(service, path, conversation.id) for path in self._paths]
                followed = await self._followed(service, conversation.id, tuple(file_ids))
            finally:
                self.screen.close()
            return await self._conclude(service, conversation.id, followed)

    async def _upload(self, service: Client, path: Path, conversation_id: str) -> str:
        self.screen.say(text("cli_reading", self._language, name=one_line(path.name)))
        return (await service.upload(path, conversation_id)).id

    async def _followed(self, service: Client, conversation_id: str, file_ids: tuple[str, ...]) -> Followed:
        question = Question(
            text=self._wish,
            file_ids=file_ids,
            language=self._language,
            model=self._arguments.model,
            approvals="auto",
            mode="report",
        )
        run_id = await service.ask(conversation_id, question)
        with stopping(service, run_id, self._language):
            return await follow(service, run_id, self.screen, attended=False)

    async def _conclude(self, service: Client, conversation_id: str, followed: Followed) -> int:
        folder = self._target.parent if self._target is not None else Path()
        named = names_of_report(self._target)
        if self._arguments.json:
            files = tuple(await save_files(service, followed.files, folder, named=named))
            ended = await answered(service, followed, folder, self._language, files=files)
            seconds = time.monotonic() - self._started
            result = result_object(followed.run_id, ended, seconds=seconds)
            result = await report_object(service, conversation_id, followed.run_id, result)
            print(json.dumps(result, ensure_ascii=False))
            await self._write(service, followed)
            return exit_of(followed)
        if followed.answer is not None and self._target is None:
            answer = replace(followed.answer, text=readable(followed.answer.text))
            show_answer(self._console, answer, self._language)
        if await self._write(service, followed):
            say(self._console, text("cli_saved", self._language, path=self._target))
        for path in await save_files(service, followed.files, folder, named=named):
            say(self._console, text("cli_saved", self._language, path=path))
        if followed.answer is not None and self._target is not None:
            show_suggestions(self._console, followed.answer, self._language)
        say_end(self._console, conversation_id, followed, self._language)
        return exit_of(followed)

    async def _write(self, service: Client, followed: Followed) -> bool:
        """Write the report where it is to go; return whether there was one to write."""
        if self._target is None or followed.answer is None:
            return False
        kind = kind_of(self._target)
        assert kind is not None
        content = await service.export(followed.run_id, kind)
        with self._target.open("xb") as file:
            file.write(content)
        return True
