"""A report as PDF, printed by Chromium from the self-contained HTML.

Chromium is never started without its own sandbox. As root, which it refuses, it runs as a user that owns nothing but
the folder of this one print. What it prints has no script and may load nothing; it could not find a host either.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from tablewright.errors import PdfFailed, PdfUnavailable
from tablewright.report.blocks import ReportMeta, ReportView
from tablewright.report.html_file import html_document

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TIME_LIMIT_S = 60.0
PRINT_USER = 61_234
"""The user and group for Chromium where the service itself is root. Nobody should have this number."""

_PRINTING = (
    "--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--disable-extensions",
    "--disable-sync", "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--disable-crash-reporter",
    "--disable-breakpad", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9", "--no-pdf-header-footer",
)  # fmt: skip


def write_pdf(
    view: ReportView, meta: ReportMeta, path: Path, *, program: str | None = None, time_limit_s: float = TIME_LIMIT_S
) -> None:
    """Print the report to `path`. Blocks up to `time_limit_s` seconds.

    `program` is Chromium's path, else it is looked for. Raises `PdfUnavailable` if there is none, and `PdfFailed`.
    """
    found = program or chromium()
    if found is None:
        raise PdfUnavailable
    with tempfile.TemporaryDirectory(prefix="tablewright-pdf-") as name:
        folder = Path(name)
        source, made = folder / "report.html", folder / "report.pdf"
        source.write_text(html_document(view, meta), encoding="utf-8")
        if os.geteuid() == 0:
            for owned in (folder, source):
                os.chown(owned, PRINT_USER, PRINT_USER)
        arguments = (*_PRINTING, f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={made}", source.as_uri())
        words = _run((found, *arguments), folder, time_limit_s)
        if not made.is_file() or made.is_symlink():
            raise PdfFailed("pdf_not_printed", words=words[-400:])
        shutil.copyfile(made, path)


def chromium() -> str | None:
    """Return the path of Chromium or Chrome, or None if there is none."""
    return next((found for name in PROGRAMS if (found := shutil.which(name)) is not None), None)


def _run(command: tuple[str, ...], folder: Path, time_limit_s: float) -> str:
    """Run Chromium with all that it starts in a process group of its own; return what it said."""
    other = {"user": PRINT_USER, "group": PRINT_USER, "extra_groups": []} if os.geteuid() == 0 else {}
    environment = {
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
    }
    log = folder / "log"
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(  # noqa: S603  # the command is ours
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True, **other,  # type: ignore[call-overload]  # the users are options of one overload
            )  # fmt: skip
        except OSError as error:
            raise PdfFailed("pdf_not_started", words=str(error)) from error
        try:
            process.wait(time_limit_s)
        except subprocess.TimeoutExpired:
            raise PdfFailed("pdf_slow", seconds=time_limit_s) from None
        finally:
            _end(process)
    return log.read_text(encoding="utf-8", errors="replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
