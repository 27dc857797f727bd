"""`tablewright eval SUITE_DIR --out FILE`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tablewright.bootstrap.build import build
from tablewright.cli.answers import answered
from tablewright.cli.clients.base import Client, Question
from tablewright.cli.clients.in_process import InProcessClient
from tablewright.cli.configuration import configured
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.follower import follow
from tablewright.cli.show.screens import NoScreen
from tablewright.service.evaluation import SUITE, Advance, CaseAnswer, EvaluationCase, evaluate
from tablewright.settings.tree import Settings
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text


def run(arguments: argparse.Namespace) -> int:
    """Answer a suite with one running application. Without `--data-dir`, its conversations are not kept."""
    quiet()
    suite = Path(arguments.suite)
    if not (suite / SUITE).is_file():
        raise WrongUse("cli_suite_missing", folder=arguments.suite)
    with tempfile.TemporaryDirectory(prefix="tablewright-eval-") as folder:
        flags = {} if arguments.data_dir else {"data_dir": folder}
        settings = configured(arguments, model=arguments.model, **flags).settings
        advance = asyncio.run(_evaluate(settings, suite, arguments))
    out = arguments.out
    print(text("cli_eval_done", arguments.language, done=advance.done, total=advance.total, path=out))
    return Exit.DONE if advance.done == advance.total else Exit.FAILED


async def _evaluate(settings: Settings, suite: Path, arguments: argparse.Namespace) -> Advance:
    async with build(settings) as app:
        service = InProcessClient(app)
        await service.check_model(None)
        asking = CaseRunner(service)
        progress = _tell if sys.stderr.isatty() else None
        return await evaluate(suite, Path(arguments.out), asking.ask, limit=arguments.limit, progress=progress)


class CaseRunner:
    """Asks each case in a new conversation with its files; approvals are granted automatically."""

    def __init__(self, service: Client) -> None:
        self._service = service

    async def ask(self, case: EvaluationCase) -> CaseAnswer:
        """Ask one case and return its outcome."""
        conversation = await self._service.start_conversation("", case.language)
        file_ids = [(await self._service.upload(path, conversation.id)).id for path in case.files]
        question = Question(
            text=case.prompt, file_ids=tuple(file_ids), language=case.language, approvals="auto", mode=case.mode
        )
        run_id = await self._service.ask(conversation.id, question)
        followed = await follow(self._service, run_id, NoScreen(), attended=False)
        return await answered(self._service, followed, case.folder, case.language)


def _tell(advance: Advance) -> None:
    end = "\n" if advance.done == advance.total else ""
    print(f"\r{advance.done}/{advance.total}", end=end, file=sys.stderr, flush=True)
