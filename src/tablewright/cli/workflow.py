"""`tablewright workflow ACTION [WORKFLOW] [FILE…] [--input NAME=VALUE]`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from tablewright.cli.clients.base import Client, WorkflowLine
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.routing import correct, corrections, settings
from tablewright.cli.schedules import schedule
from tablewright.cli.show.clean import one_line
from tablewright.cli.workflow_run import WorkflowCommand
from tablewright.domain.language import Language
from tablewright.errors import NotFound
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text
from tablewright.workflows.definition import SIZE_BYTES, Unreadable, as_values, read, schema
from tablewright.workflows.faults import Fault, invalid
from tablewright.workflows.library import template_named, templates


def run(arguments: argparse.Namespace) -> int:
    """Do what the action says and return the exit code."""
    quiet()
    match arguments.action:
        case "schema":
            print(json.dumps(schema(), ensure_ascii=False, indent=2))
            return Exit.DONE
        case "list":
            return asyncio.run(_list(arguments))
        case "schedule":
            return asyncio.run(schedule(arguments, _inputs(arguments)))
        case "settings":
            return asyncio.run(settings(arguments))
        case "correct":
            return asyncio.run(correct(arguments))
        case "corrections":
            return asyncio.run(corrections(arguments))
        case "run":
            return _run(arguments, _name(arguments))
        case _:
            return asyncio.run(_act(arguments, _name(arguments)))


def _name(arguments: argparse.Namespace) -> str:
    if not arguments.words:
        raise WrongUse("cli_workflow_missing")
    return str(arguments.words[0])


async def _list(arguments: argparse.Namespace) -> int:
    for flow in templates().values():
        print(_line(flow.id, text("cli_workflow_template", arguments.language), flow.name, flow.description))
    async with client(arguments, ahead=False) as service:
        for found in await service.workflows.list():
            print(_line(found.id, _state(found, arguments.language), found.name, found.description))
    return Exit.DONE


def _line(*parts: str) -> str:
    return "\t".join(map(one_line, parts))


def _state(found: WorkflowLine, language: Language) -> str:
    if found.published is None:
        return text("cli_workflow_draft", language)
    return text(f"cli_workflow_{found.visibility}", language, version=found.published)


async def _act(arguments: argparse.Namespace, name: str) -> int:
    language: Language = arguments.language
    async with client(arguments, ahead=False) as service:
        match arguments.action:
            case "new":
                await _keep(service, await _values(service, name, language), arguments)
                return Exit.DONE
            case "from":
                await _from(service, name, arguments)
                return Exit.DONE
            case "withdraw":
                await service.workflows.withdraw(name)
                print(text("cli_workflow_withdrawn", language, name=one_line(name)))
                return Exit.DONE
            case "publish":
                own = await _keep(service, _read(name, language), arguments) if _is_file(name) else name
                version = await service.workflows.publish(own, language)
                print(text("cli_workflow_published", language, name=one_line(name), version=version))
                return Exit.DONE
            case "export":
                print(json.dumps(await _values(service, name, language), ensure_ascii=False, indent=2))
                return Exit.DONE
            case _:
                return await _validate(service, name, language)


async def _keep(service: Client, values: dict[str, Any], arguments: argparse.Namespace) -> str:
    """Keep a definition as a draft, say so with its faults, and return the workflow's id."""
    language: Language = arguments.language
    kept = await service.workflows.keep(values, language, public=arguments.public)
    print(text("cli_workflow_kept", language, id=kept.id, revision=kept.revision), file=sys.stderr)
    for fault in kept.faults:
        print(f"  {fault}", file=sys.stderr)
    if arguments.action == "new":
        print(kept.id)
    return kept.id


async def _from(service: Client, conversation_id: str, arguments: argparse.Namespace) -> None:
    """Keep the draft of a conversation, say what it does and leaves out, and print the workflow's id."""
    language: Language = arguments.language
    kept = await service.workflows.draft(conversation_id, arguments.name or "", language, public=arguments.public)
    print(one_line(kept.about), file=sys.stderr)
    for fault in kept.faults:
        print(f"  {fault}", file=sys.stderr)
    print(kept.id)


async def _values(service: Client, name: str, language: Language) -> dict[str, Any]:
    """Return the definition in a file, of a template or of a stored workflow. Raises `WrongUse` for none of these."""
    if _is_file(name):
        return _read(name, language)
    if (template := template_named(name)) is not None:
        return as_values(template)
    try:
        return await service.workflows.file(name)
    except NotFound as error:
        raise WrongUse("cli_workflow_no_file", name=name) from error


def _is_file(name: str) -> bool:
    return Path(name).is_file()


def _read(name: str, language: Language) -> dict[str, Any]:
    """Return the JSON object in a file. Raises `WorkflowInvalid` for what is none."""
    path = Path(name)
    try:
        values = json.loads(path.read_bytes()) if path.stat().st_size <= SIZE_BYTES else None
    except (ValueError, RecursionError):
        values = None
    if isinstance(values, dict):
        return values
    try:
        read(path.read_bytes())
    except Unreadable as unreadable:
        raise invalid(unreadable.faults, language) from unreadable
    raise invalid((Fault(code="not_json", place="", params={"words": type(values).__name__}),), language)


async def _validate(service: Client, name: str, language: Language) -> int:
    values = await _values(service, name, language)
    faults = await service.workflows.check(values, language)
    shown = one_line(str(values.get("name") or name))
    if not faults:
        print(text("cli_workflow_well", language, name=shown, count=len(values["nodes"])))
        return Exit.DONE
    print(text("cli_workflow_faults", language, name=one_line(name), count=len(faults)), file=sys.stderr)
    for fault in faults:
        print(f"  {fault}", file=sys.stderr)
    return Exit.FAILED


def _run(arguments: argparse.Namespace, name: str) -> int:
    given = _inputs(arguments)
    file = _read(name, arguments.language) if _is_file(name) else None
    if file is not None and arguments.server:
        raise WrongUse("cli_workflow_server_file", name=name)
    running = WorkflowCommand(arguments, name, file, given)
    try:
        return asyncio.run(running.run())
    except (KeyboardInterrupt, asyncio.CancelledError):
        running.screen.close()
        print(text("cli_stopped", arguments.language), file=sys.stderr)
        return Exit.STOPPED


def _inputs(arguments: argparse.Namespace) -> dict[str, str]:
    given: dict[str, str] = {}
    for each in arguments.input:
        key, sign, value = each.partition("=")
        if not sign:
            raise WrongUse("cli_workflow_input", given=each)
        given[key] = value
    return given
