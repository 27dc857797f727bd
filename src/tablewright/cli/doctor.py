"""`tablewright doctor`, and `tablewright models`, the part of it about models."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from tablewright.bootstrap.checks import Finding, look, look_at_models
from tablewright.cli.configuration import configured
from tablewright.cli.exits import Exit
from tablewright.domain.language import Language
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import catalogue, text
from tablewright.texts.errors import shown_params

MARKS = {"ok": ("✓", "green"), "bad": ("✗", "red"), "note": ("·", "")}
REMEDIED = frozenset({"partial", "ungoverned", "unbuilt"})
"""The codes of notes that say what can be done."""


def run(arguments: argparse.Namespace) -> int:
    """Run all checks and print the findings, with a remedy for what does not work."""
    quiet()
    found = asyncio.run(look(configured(arguments).settings, os.environ))
    bad = _say(found, arguments)
    if not arguments.json:
        print(text("doctor_not_well" if bad else "doctor_all_well", arguments.language, count=bad))
    return Exit.FAILED if bad else Exit.DONE


def models(arguments: argparse.Namespace) -> int:
    """Print the models that can be used here, and those that could be."""
    found = asyncio.run(look_at_models(configured(arguments).settings, os.environ))
    return Exit.FAILED if _say(found, arguments) else Exit.DONE


def _say(found: Sequence[Finding], arguments: argparse.Namespace) -> int:
    """Print findings; return how many of them are bad."""
    if arguments.json:
        print(json.dumps([_told(finding, arguments.language) for finding in found], ensure_ascii=False))
    else:
        _show(found, arguments.language)
    return sum(finding.state == "bad" for finding in found)


def _show(found: Sequence[Finding], language: Language) -> None:
    console = Console(highlight=False, emoji=False)
    for finding in found:
        mark, style = MARKS[finding.state]
        words, remedy = _words(finding, language)
        console.print(Text(mark, style=style), Text(words), soft_wrap=True)
        if remedy:
            console.print(Text(f"  → {remedy}"), soft_wrap=True)


def _words(finding: Finding, language: Language) -> tuple[str, str | None]:
    code = f"doctor_{finding.topic}_{finding.code}"
    remedy = f"{code}_remedy"
    wanted = remedy in catalogue(language) and (finding.state == "bad" or finding.code in REMEDIED)
    shown = shown_params(language, finding.params)
    if layers := finding.params.get("layers"):
        names = (text(f"layer_{layer}", language) for layer in str(layers).split(", "))
        shown["layers"] = ("、" if language == "zh" else ", ").join(names)
    words = text(code, language, **shown)
    return words, text(remedy, language, **shown) if wanted else None


def _told(finding: Finding, language: Language) -> dict[str, object]:
    words, remedy = _words(finding, language)
    return {**asdict(finding), "message": words, "remedy": remedy}
