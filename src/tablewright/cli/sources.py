"""Checks of the files that a person names."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

from tablewright.cli.exits import WrongUse
from tablewright.data.sql.address import SCHEMES

CLOSE = 0.7
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
"""How an address begins, once a path is made of it; a drive has one letter."""


def check_source(source: Path) -> None:
    """Raise `WrongUse` if there is no such file, suggesting the file in its folder with the most similar name."""
    if source.is_dir():
        raise WrongUse("cli_file_is_folder", name=str(source))
    if source.exists():
        return
    if (scheme := _SCHEME.match(str(source))) is not None:
        raise WrongUse("cli_address_unknown", scheme=scheme[1], known=", ".join(SCHEMES))
    if not source.parent.is_dir():
        raise WrongUse("cli_folder_missing", name=str(source), folder=str(source.parent))
    if (near := _nearest(source)) is not None:
        raise WrongUse("cli_file_missing_near", name=str(source), near=str(near))
    raise WrongUse("cli_file_missing", name=str(source))


def is_connection_name(word: str) -> bool:
    """Return whether a word, which is no file, could be the name of a connection: it has no suffix and no folder."""
    return not Path(word).exists() and Path(word).name == word and not Path(word).suffix


def _nearest(source: Path) -> Path | None:
    """Return the file with the most similar name, ignoring suffixes, or None if none is similar."""
    there = {entry.stem.lower(): entry for entry in source.parent.iterdir() if not entry.name.startswith(".")}
    near = get_close_matches(source.stem.lower(), there, n=1, cutoff=CLOSE)
    return there[near[0]] if near else None
