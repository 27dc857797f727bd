"""The files that a person names."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from tablewright.cli.exits import WrongUse

CLOSE = 0.7


def check_source(source: Path) -> None:
    """Raise `WrongUse` when there is no such file, with the name that is nearest to it in its folder."""
    if source.is_dir():
        raise WrongUse("cli_file_is_folder", name=str(source))
    if source.exists():
        return
    if not source.parent.is_dir():
        raise WrongUse("cli_folder_missing", name=str(source), folder=str(source.parent))
    names = [entry.name for entry in source.parent.iterdir() if not entry.name.startswith(".")]
    near = get_close_matches(source.name, names, n=1, cutoff=CLOSE)
    if near:
        raise WrongUse("cli_file_missing_near", name=str(source), near=str(source.with_name(near[0])))
    raise WrongUse("cli_file_missing", name=str(source))
