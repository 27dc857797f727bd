"""`tablewright export ID`."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from tablewright.cli.clients.base import ExportKind
from tablewright.cli.connection import client
from tablewright.cli.exits import Exit, WrongUse
from tablewright.errors import NotFound
from tablewright.telemetry import quiet
from tablewright.texts.catalogue import text

KINDS: dict[str, ExportKind] = {
    ".ipynb": "export.ipynb",
    ".py": "export.py",
    ".html": "export.html",
    ".htm": "export.html",
}


def run(arguments: argparse.Namespace) -> int:
    """Write a run as a notebook, a script or a page, depending on the suffix of `--out`. Nothing is overwritten."""
    quiet()
    target = Path(arguments.out)
    kind = KINDS.get(target.suffix.lower())
    if kind is None:
        raise WrongUse("cli_export_kind", name=arguments.out)
    if target.exists():
        raise WrongUse("cli_out_exists", name=arguments.out)
    if not target.parent.is_dir():
        raise WrongUse("cli_export_folder", name=str(target.parent))
    asyncio.run(_export(arguments, target, kind))
    print(text("cli_saved", arguments.language, path=target))
    return Exit.DONE


async def _export(arguments: argparse.Namespace, target: Path, kind: ExportKind) -> None:
    async with client(arguments, ahead=False) as service:
        try:
            content = await service.export(arguments.id, kind)
        except NotFound as missing:
            raise WrongUse("cli_export_unknown", id=arguments.id) from missing
    with target.open("xb") as file:
        file.write(content)
