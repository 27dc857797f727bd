"""matplotlib's font list, cached between starts: building it takes long if there are many fonts.

Only the zygote's list is kept, since no user code has touched it. It is rebuilt when a font was installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tablewright.sandbox.environment import default_cache

PLACE = ".matplotlib"
"""A folder among those of sessions, to which the zygote can write; no session can have this name."""
_SYSTEM = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_LIST = "fontlist-*.json"


def _folders() -> Iterator[str]:
    for root in _SYSTEM:
        for current, names, _ in os.walk(root):
            names.sort()
            yield f"{current} {Path(current).stat().st_mtime_ns}"


def _kept(cache: Path | None) -> Path:
    digest = hashlib.sha256("\n".join(_folders()).encode()).hexdigest()[:16]
    return (cache or default_cache()) / f"fonts-{digest}"


def lend(cache: Path | None, sessions: Path) -> None:
    """Give the zygote the font list of an earlier start, if there is one."""
    place = sessions / PLACE
    place.mkdir(exist_ok=True)
    # The cache only saves time: a user without a writable home goes without.
    with suppress(OSError, RuntimeError):
        for path in _kept(cache).glob(_LIST):
            shutil.copyfile(path, place / path.name)


def keep(cache: Path | None, sessions: Path) -> None:
    """Save the zygote's font list for later starts."""
    with suppress(OSError, RuntimeError):
        kept = _kept(cache)
        for path in (sessions / PLACE).glob(_LIST):
            if not (kept / path.name).exists():
                kept.mkdir(parents=True, exist_ok=True)
                unfinished = kept / f"{path.name}.{os.getpid()}"
                shutil.copyfile(path, unfinished)
                unfinished.rename(kept / path.name)
