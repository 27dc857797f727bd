"""Every place of the source that writes csv or xlsx is known, with what keeps texts from becoming formulas there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "tablewright"
WRITES = re.compile(
    r"csv\.writer\(|\.to_csv\(|to_csv\(\{|\.to_excel\(|to_excel\(\{|ExcelWriter\(|xlsxwriter\.Workbook\("
)
PLAIN = '"strings_to_formulas": False'
MEANS: Mapping[str, str] = {
    "agent/code/result_file.py": "tw.guard(saved)",
    "analyst/reporting/tables.py": PLAIN,
    "analyst/writing/output.py": "tw.guard(",
    "mcp_server/results.py": "guarded(row).cells",
    "report/xlsx_file.py": PLAIN,
    "sandbox/worker/file_saving.py": "guard.frame(frame).to_csv",
    "service/files/table_writer.py": "result_code(name, guard=guard)",
    "service/workflow_drafts/definition.py": "tw.guard(frame)",
    "workbook/package/conversion.py": PLAIN,
    "workbook/package/creation.py": PLAIN,
    "workbook/package/text_book.py": "constant=True",
}
"""Files that people get, by the module that writes them, and what guards their texts."""
READ_BY_CODE = frozenset({"models/facts.py", "service/chats/markdown_tables.py", "service/databases/tables.py"})
"""Tables for models and for code, which would be others with an apostrophe."""
TRIED_IN_TESTS = frozenset({"sandbox/conformance/libraries.py", "sandbox/conformance/outputs.py"})


def writers() -> dict[str, str]:
    """Return the modules that write csv or xlsx, with their text."""
    texts = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    return {name: text for name, text in texts.items() if WRITES.search(text) is not None}


@pytest.mark.requirement("formula-guard-per-file")
def test_every_writer_of_tables_is_known_and_guards_what_people_get() -> None:
    found = writers()
    assert {*found} - READ_BY_CODE - TRIED_IN_TESTS == {*MEANS}, "a new writer says here how texts stay texts"
    for name, means in MEANS.items():
        assert means in found[name], name
