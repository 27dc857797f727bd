"""LibreOffice, where it is installed: opens what we wrote, as another program does."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.support.patience import PATIENCE_S

SOFFICE = shutil.which("soffice")
MISSING = "no LibreOffice: apt install libreoffice-calc"


def converted(path: Path, kind: str, folder: Path) -> Path:
    """Let LibreOffice open `path` and save it as `kind` into `folder`; returns the file. Its profile is fresh each
    time."""
    assert SOFFICE is not None
    with tempfile.TemporaryDirectory() as profile:
        command = [SOFFICE, f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", kind, "--outdir"]
        done = subprocess.run(
            [*command, str(folder), str(path)], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    made = folder / f"{path.stem}.{kind.split(':', maxsplit=1)[0]}"
    assert made.is_file(), done.stdout + done.stderr
    return made
