"""Measures what edits of real workbooks change and lose: setting a cell, inserting and deleting a row, sorting,
undoing.

    python -m benchmarks.fidelity FOLDER [--soffice]

Prints one line per file: the parts each edit changed, what was lost (parts, or elements of a part by name; values that
cells stored, and whether a warning says so), the slowest step, and with `--soffice` whether LibreOffice opens the
results. For a refused file it prints the error.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from benchmarks.stored_values import lost_values, valueless
from lxml import etree

from tablewright.data.base import OpenLimits
from tablewright.data.pool import WorkerPool
from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.cells import SetValues
from tablewright.domain.operations.structure import DeleteRows, InsertRows
from tablewright.domain.operations.tables import SortKey, SortRows
from tablewright.domain.outline import SheetOutline
from tablewright.errors import CallerError
from tablewright.workbook import parts
from tablewright.workbook.areas import cell_name, parse_area
from tablewright.workbook.base import ApplyPolicy
from tablewright.workbook.package.editor import WARM, PackageEditor

T = TypeVar("T")
LEFT_OUT = {"xl/calcChain.xml"}
"""The calculation order; Excel rebuilds it, and an outdated one would be wrong."""
COMPARED = {"cell", "row"}
"""The edits after which everything else must still be there."""
Moved = Callable[[int], int | None]
KEEP = ApplyPolicy(roll_back_on_errors=False)


@dataclass(slots=True)
class Account:
    """The outcome for one file."""

    name: str
    refused: str = ""
    changed: dict[str, list[str]] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    values_lost: int = 0
    values_silently: int = 0
    slowest_s: float = 0.0
    undone: bool = False
    opens: str = ""


async def main(arguments: argparse.Namespace) -> int:
    pool = WorkerPool(OpenLimits(), warm=WARM)
    await pool.start()
    accounts = [await account(PackageEditor(pool), path, soffice=arguments.soffice) for path in arguments.files]
    await pool.stop()
    for found in accounts:
        print(told(found))
    refused = [found for found in accounts if found.refused]
    edited = [found for found in accounts if not found.refused]
    print(
        f"{len(accounts)} files: {len(edited)} edited, {len(refused)} refused; lost something: "
        f"{sum(bool(found.lost) for found in edited)}; undone exactly: {sum(found.undone for found in edited)}; "
        f"values lost: {sum(found.values_lost for found in edited)}, of which without a warning: "
        f"{sum(found.values_silently for found in edited)}; "
        f"slowest step {max((found.slowest_s for found in accounts), default=0):.1f} s"
    )
    if arguments.soffice:
        print(f"LibreOffice opens {sum(found.opens == 'opens' for found in edited)} of {len(edited)}")
    return 0


async def account(editor: PackageEditor, path: Path, *, soffice: bool) -> Account:
    found = Account(name=path.name)
    with tempfile.TemporaryDirectory() as folder:
        try:
            await _edited(editor, path, Path(folder), found)
        except CallerError as error:
            found.refused = f"{error.code} {error.detail}".strip()
            return found
        if soffice:
            found.opens = _opened(Path(folder))
    return found


async def _edited(editor: PackageEditor, path: Path, folder: Path, found: Account) -> None:
    outline = await _timed(found, editor.outline(path))
    sheet = next((entry for entry in outline.sheets if entry.kind == "worksheet"), None)
    for name, (operation, moved) in _steps(sheet).items():
        target = folder / f"{name}.xlsx"
        applied = await _timed(found, editor.apply(path, target, [operation], policy=KEEP))
        found.notes |= {notice.code for notice in (*applied.losses, *applied.warnings)}
        failed = applied.steps[0].error
        if failed is not None or not applied.written:
            found.changed[name] = [f"step refused: {failed.code}" if failed else "nothing to change"]
        elif path.suffix in {".xlsx", ".xlsm"}:
            _compare_values(
                found, path, target, sheet, moved, warned=bool(applied.warnings or applied.losses or applied.new_errors)
            )
            if not applied.losses and name in COMPARED:
                found.changed[name], lost = compared(path, target)
                found.lost += [f"{name}: {what}" for what in lost]
    found.undone = undone(path)


def _steps(sheet: SheetOutline | None) -> dict[str, tuple[AnyOperation, Moved | None]]:
    """Return the edits by name, each with where it moves the rows to (None: anywhere)."""
    name = sheet.name if sheet else None
    last = parse_area(sheet.used)[1].last_row if sheet is not None and sheet.used else 1
    steps: dict[str, tuple[AnyOperation, Moved | None]] = {
        "cell": (SetValues(sheet=name, range=cell_name(last + 3, 1), values=((4711,),)), lambda row: row),
        "row": (InsertRows(sheet=name, row=2), lambda row: row + (row >= 2)),
        "deleted": (DeleteRows(sheet=name, row=2), lambda row: None if row == 2 else row - (row > 2)),
    }
    tables = [region for region in (sheet.regions if sheet else ()) if region.columns and region.data_rows]
    if tables and tables[0].header_rows:
        steps["sorted"] = (SortRows(sheet=name, by=(SortKey(column=tables[0].columns[0].letters),)), None)
    return steps


def _compare_values(
    found: Account, before: Path, after: Path, sheet: SheetOutline | None, moved: Moved | None, *, warned: bool
) -> None:
    if moved is None:
        lost = max(valueless(after) - valueless(before), 0)
    else:
        lost = len(lost_values(before, after, sheet.name if sheet else "", moved))
    found.values_lost += lost
    found.values_silently += 0 if warned else lost


def undone(path: Path) -> bool:
    """Return whether the version kept before the edits is restored byte for byte."""
    before = path.read_bytes()
    kept = parts.split(before)
    return hashlib.sha256(parts.join(kept)).digest() == hashlib.sha256(before).digest()


async def _timed(found: Account, work: Awaitable[T]) -> T:
    start = time.perf_counter()
    try:
        return await work
    finally:
        found.slowest_s = max(found.slowest_s, time.perf_counter() - start)


def compared(before: Path, after: Path) -> tuple[list[str], list[str]]:
    """Return the parts that differ, and what the later file has lost."""
    with zipfile.ZipFile(before) as one, zipfile.ZipFile(after) as other:
        old, new = ({name: archive.read(name) for name in archive.namelist()} for archive in (one, other))
    changed = [name for name in new if old.get(name) != new[name]]
    lost = [name for name in old if name not in new and name not in LEFT_OUT]
    calc_chain = LEFT_OUT & old.keys() - new.keys()
    for name in changed:
        if name in old and name.endswith((".xml", ".rels", ".vml")):
            fewer = tally(old[name]) - tally(new[name])
            if calc_chain and name.endswith((".rels", "Types].xml")):
                fewer = Counter({key: count - 1 for key, count in fewer.items() if count > 1})
            lost += [f"{name}: {count} {element}" for element, count in fewer.items()]
    return changed, lost


def tally(part: bytes) -> Counter[str]:
    """Count the elements of a part by name; a part that is not XML counts as one."""
    try:
        root = etree.fromstring(part)
    except etree.XMLSyntaxError:
        return Counter(part=1)
    return Counter(element.tag for element in root.iter() if isinstance(element.tag, str))


def told(found: Account) -> str:
    if found.refused:
        return f"{found.name}: refused ({found.refused}) in {found.slowest_s:.1f} s"
    changes = "; ".join(f"{name}: {', '.join(changed) or '-'}" for name, changed in found.changed.items())
    lost = f" LOST {'; '.join(found.lost)}" if found.lost else ""
    notes = f" [{', '.join(sorted(found.notes))}]" if found.notes else ""
    lost += f" VALUES LOST {found.values_lost} ({found.values_silently} silently)" if found.values_lost else ""
    return f"{found.name}: {changes}{lost}{notes} {found.opens} {found.slowest_s:.2f} s"


def _opened(folder: Path) -> str:
    """Have LibreOffice convert each result; it writes nothing for a file it cannot read."""
    program = shutil.which("soffice")
    if program is None:
        return "soffice missing"
    made = folder / "made"
    files = sorted(folder.glob("*.xlsx"))
    command = [
        program,
        f"-env:UserInstallation=file://{folder / 'profile'}",
        "--headless",
        "--convert-to",
        "ods",
        "--outdir",
        str(made),
    ]
    subprocess.run([*command, *map(str, files)], capture_output=True, timeout=180, check=False)
    missing = [file.stem for file in files if not (made / f"{file.stem}.ods").is_file()]
    return f"LibreOffice refuses {', '.join(missing)}" if missing else "opens"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--soffice", action="store_true")
    given = parser.parse_args()
    given.files = sorted(path for path in given.folder.iterdir() if path.is_file())
    sys.exit(asyncio.run(main(given)))
