"""`tablewright config show|init`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tablewright.cli.configuration import configured
from tablewright.cli.exits import Exit
from tablewright.settings.example import example_file
from tablewright.settings.folders import FILE_NAME
from tablewright.settings.show import DEFAULT, EffectiveSetting, shown
from tablewright.texts.catalogue import Language, text
from tablewright.texts.errors import shown_params


def run(arguments: argparse.Namespace) -> int:
    """Show every setting with its source, or write an initial settings file into the current folder."""
    if arguments.action == "init":
        return _init(arguments.language)
    rows = shown(configured(arguments))
    if arguments.json:
        print(json.dumps({row.name: {"value": row.value, "source": row.source} for row in rows}, ensure_ascii=False))
        return Exit.DONE
    width = max(len(row.name) for row in rows)
    for row in rows:
        print(f"{row.name:<{width}} = {_written(row)}{_origin(row, arguments.language)}")
    return Exit.DONE


def _origin(row: EffectiveSetting, language: Language) -> str:
    """Return where a value came from, as a comment; empty for a default."""
    if row.source == DEFAULT:
        return ""
    said = shown_params(language, {"source": row.source})["source"]
    return f"   # {said}"


def _written(row: EffectiveSetting) -> str:
    return "" if row.value is None else json.dumps(row.value, ensure_ascii=False)


def _init(language: Language) -> int:
    path = Path.cwd() / FILE_NAME
    if path.exists():
        print(text("cli_config_exists", language, path=path))
        return Exit.FAILED
    path.write_text(example_file(language), encoding="utf-8")
    print(text("cli_config_written", language, path=path))
    return Exit.DONE
