"""Which of a conversation's files a name means."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import PurePosixPath

from tablewright.errors import FileNotNamed
from tablewright.sandbox.base import SHARED_FOLDER
from tablewright.tools.base import ToolFile

FOLDERS = (f"{SHARED_FOLDER}/", "data/", "./", "downloads/")
"""Folders under which code and models name the files."""
MOST_KNOWN = 20
ID_CHARS = 200


def named_file(files: Sequence[ToolFile], name: str) -> ToolFile:
    """Return the file that `name` means: by its own name, or by that below one of `FOLDERS`, or in other case.

    Nothing but the names of `files` is looked at. Raises `FileNotNamed`.
    """
    wanted = {name.strip(), bare_name(name)}
    for file in files:
        if file.name in wanted or file.input_name in wanted:
            return file
    folded = {each.casefold() for each in wanted}
    alike = [file for file in files if file.name.casefold() in folded]
    if len(alike) == 1:
        return alike[0]
    raise _not_named(files, name)


def bare_name(name: str) -> str:
    """Return `name` without the folders under which files are named."""
    bare = name.strip().replace("\\", "/")
    while (folder := next((each for each in FOLDERS if bare.startswith(each)), None)) is not None:
        bare = bare[len(folder) :]
    return bare


def _not_named(files: Sequence[ToolFile], name: str) -> FileNotNamed:
    names = [file.name for file in files]
    known = ", ".join(names[:MOST_KNOWN]) + (", …" if len(names) > MOST_KNOWN else "")
    by_folded = {each.casefold(): each for each in names}
    near = get_close_matches(PurePosixPath(bare_name(name)).name.casefold(), by_folded, n=1)
    detail = "files_near" if near else "files_known" if names else "files_none"
    shown_near = by_folded[near[0]] if near else None
    return FileNotNamed(detail, field="path", kind="file", id=name[:ID_CHARS], near=shown_near, known=known)
