"""`tablewright workflow schedule list|add|change|pause|resume|delete`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from tablewright.cli.clients.base import Client
from tablewright.cli.clients.schedules import LastFiring, ScheduleChange, ScheduleLine, ScheduleWish
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.show.clean import one_line
from tablewright.domain.language import Language
from tablewright.domain.workflow.schedules import ScheduledFile
from tablewright.texts.catalogue import text

TIME = "%Y-%m-%d %H:%M UTC"
ACTS = ("list", "add", "change", "pause", "resume", "delete")


async def schedule(arguments: argparse.Namespace, inputs: Mapping[str, str]) -> int:
    """Do with schedules what the first word says, to what the second names."""
    act, *words = arguments.words or ["list"]
    if act not in ACTS or (act != "list" and not words):
        raise WrongUse("cli_schedule_use")
    language: Language = arguments.language
    async with client(arguments, ahead=False) as service:
        match act:
            case "list":
                for line in await service.schedules.list():
                    print(shown_schedule(line, language))
            case "add":
                await _add(service, words[0], arguments, inputs)
            case "change":
                await _change(service, words[0], arguments, inputs)
            case "pause":
                print(shown_schedule(await service.schedules.pause(words[0]), language))
            case "resume":
                print(shown_schedule(await service.schedules.resume(words[0]), language))
            case _:
                await service.schedules.delete(words[0])
    return Exit.DONE


async def _add(service: Client, workflow: str, arguments: argparse.Namespace, inputs: Mapping[str, str]) -> None:
    """Make a schedule; its secret goes to the standard error, its line to the output."""
    if not arguments.when:
        raise WrongUse("cli_schedule_when")
    made = await service.schedules.add(
        ScheduleWish(
            workflow=workflow,
            when=arguments.when,
            time_zone=arguments.zone or "UTC",
            language=arguments.language,
            inputs=inputs,
            files=_files(arguments),
            name=arguments.name or "",
            model=arguments.model,
            approvals="auto" if arguments.yes else "ask",
            webhook_url=arguments.webhook,
        )
    )
    _print_made(made, arguments.language)


async def _change(service: Client, schedule_id: str, arguments: argparse.Namespace, inputs: Mapping[str, str]) -> None:
    """Change what the options name; without any, there is nothing to change."""
    change = ScheduleChange(
        when=arguments.when,
        time_zone=arguments.zone,
        name=arguments.name,
        model=arguments.model,
        inputs=inputs or None,
        files=_files(arguments) or None,
        webhook_url=arguments.webhook,
    )
    if not change.given():
        raise WrongUse("cli_schedule_change")
    _print_made(await service.schedules.change(schedule_id, change), arguments.language)


def _files(arguments: argparse.Namespace) -> tuple[ScheduledFile, ...]:
    return tuple(ScheduledFile(newest=pattern) for pattern in arguments.newest)


def _print_made(made: ScheduleLine, language: Language) -> None:
    print(shown_schedule(made, language))
    if made.secret is not None:
        print(text("cli_schedule_secret", language, secret=made.secret), file=sys.stderr)


def shown_schedule(line: ScheduleLine, language: Language) -> str:
    """Return a schedule as one line: its id, its name, when it fires, when next, and what became of the last time."""
    if line.next_times:
        next_at = text("cli_schedule_next", language, time=line.next_times[0].strftime(TIME))
    else:
        next_at = text("cli_schedule_paused" if line.paused else "cli_schedule_never", language)
    last = () if line.last is None else (_last(line.last, language),)
    return "\t".join(map(one_line, (line.id, line.name, f"{line.when} ({line.time_zone})", next_at, *last)))


def _last(last: LastFiring, language: Language) -> str:
    outcome = text(f"cli_schedule_{last.outcome or 'going'}", language)
    return text("cli_schedule_last", language, time=last.due_at.strftime(TIME), outcome=outcome, id=last.id)
