"""`tablewright workflow settings|correct|corrections`: who answers, and what was chosen wrongly."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from tablewright.cli.clients.routing import Chosen, CorrectionLine, RoutingClient, RoutingSettings
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.cli.show.clean import one_line
from tablewright.domain.language import Language
from tablewright.domain.workflow.stored import SettingsLevel
from tablewright.texts.catalogue import text

OPEN = "-"
"""In the place of a value: it is left open, and the next level says."""
NO_WORKFLOW = "none"
TOGGLE: Mapping[str, bool | None] = {"on": True, "off": False, OPEN: None}
PLACES: Mapping[str, tuple[SettingsLevel, Chosen]] = {
    "fallback": ("user", "workflow"),
    "enabled": ("user", "enabled"),
    "tenant.default": ("tenant", "workflow"),
    "tenant.enabled": ("tenant", "enabled"),
    "system.default": ("system", "workflow"),
    "system.enabled": ("system", "enabled"),
}


async def settings(arguments: argparse.Namespace) -> int:
    """Say who answers where no workflow fits, or choose it."""
    words: Sequence[str] = arguments.words
    if words and (len(words) != 2 or words[0] not in PLACES):
        raise WrongUse("cli_routing_settings_use", names=", ".join(PLACES))
    async with client(arguments, ahead=False) as service:
        chosen = await _chosen(service.routing, *words) if words else await service.routing.settings()
    for line in _lines(chosen, arguments.language):
        print(line)
    return Exit.DONE


async def _chosen(routing: RoutingClient, place: str, value: str) -> RoutingSettings:
    level, name = PLACES[place]
    if name == "workflow":
        return await routing.choose(level, name, value=None if value == OPEN else value)
    if value not in TOGGLE:
        raise WrongUse("cli_routing_toggle", names=", ".join(TOGGLE))
    return await routing.choose(level, name, value=TOGGLE[value])


def _lines(chosen: RoutingSettings, language: Language) -> list[str]:
    told: list[str] = []
    for place, (level, name) in PLACES.items():
        choices = chosen.levels[level]
        said = (word for word, value in TOGGLE.items() if value is choices.enabled)
        told.append("\t".join((place, one_line(choices.workflow or OPEN if name == "workflow" else next(said)))))
    nobody = text("cli_routing_nobody", language)
    state = text("cli_routing_on" if chosen.enabled else "cli_routing_off", language)
    told.append(text("cli_routing_effective", language, state=state, name=one_line(chosen.workflow or nobody)))
    return told


async def correct(arguments: argparse.Namespace) -> int:
    """Keep that a message is not for a workflow, but for another or for none."""
    words: Sequence[str] = arguments.words
    if not 2 <= len(words) <= 3:
        raise WrongUse("cli_routing_correct_use")
    message, workflow, wanted = (*words, NO_WORKFLOW)[:3]
    async with client(arguments, ahead=False) as service:
        print(_shown(await service.routing.correct(message, _named(workflow), _named(wanted))))
    return Exit.DONE


async def corrections(arguments: argparse.Namespace) -> int:
    """List the corrections, or take those back that are named by their ids."""
    async with client(arguments, ahead=False) as service:
        for correction_id in arguments.words:
            await service.routing.forget(correction_id)
        if not arguments.words:
            for line in await service.routing.corrections():
                print(_shown(line))
    return Exit.DONE


def _named(word: str) -> str | None:
    return None if word == NO_WORKFLOW else word


def _shown(line: CorrectionLine) -> str:
    way = f"{line.workflow or NO_WORKFLOW} → {line.wanted or NO_WORKFLOW}"
    return "\t".join(map(one_line, (line.id, line.message, way)))
