"""matplotlib's list of fonts, kept between starts: where there are many, making it takes long.

Only the zygote's list is kept, which no user code has touched. It is made anew when a font was installed.
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
"""Among the folders of sessions, where the zygote writes; no session can be called so."""
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
    """Give the zygote the list of an earlier start, if there is one."""
    place = sessions / PLACE
    place.mkdir(exist_ok=True)
    # It only saves time: a user without a home, or with one that cannot be written, does without.
    with suppress(OSError, RuntimeError):
        for path in _kept(cache).glob(_LIST):
            shutil.copyfile(path, place / path.name)


def keep(cache: Path | None, sessions: Path) -> None:
    """Keep the zygote's list for later starts."""
    with suppress(OSError, RuntimeError):
        kept = _kept(cache)
        for path in (sessions / PLACE).glob(_LIST):
            if not (kept / path.name).exists():
                kept.mkdir(parents=True, exist_ok=True)
                unfinished = kept / f"{path.name}.{os.getpid()}"
                shutil.copyfile(path, unfinished)
                unfinished.rename(kept / path.name)
