"""Code in reports is kept apart from them, and comes back whole."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.agent.structured.saved_code import ReportWithoutCode, described, without_code
from tablewright.report.markdown_file import markdown_of
from tablewright.tools.saved_code import cut

AT = datetime(2026, 3, 9, tzinfo=UTC)


def taken(report: str) -> ReportWithoutCode:
    return without_code(report, run_id="r-1", at=AT, language="zh")


def test_each_block_is_replaced_by_its_placeholder() -> None:
    found = taken("# 报告\n```python\nimport pandas as pd\nx = 1\n```\n中间\n~~~ Python \ny\n~~~\n完")
    first, second = found.blocks
    assert re.fullmatch(r"code_20260309_[0-9a-f]{8}", first.code_id)
    assert first.content == "import pandas as pd\nx = 1"
    assert found.text == f"# 报告\n{first.placeholder}\n中间\n{second.placeholder}\n完"
    assert first.placeholder == f"<!-- CODE_SAVED: {first.code_id} | import pandas as pd -->"
    assert (first.file_path, second.content) == (f"data/{first.code_id}.py", "y")


@pytest.mark.parametrize(
    "report",
    [
        "no code",
        "```sql\nselect 1\n```",
        "```\npython\n```",
        "    ```python\nindented\n",
        "inline ```python x```",
        "```pythonic\nx\n```",
    ],
)
def test_other_blocks_stay(report: str) -> None:
    assert taken(report) == ReportWithoutCode(text=report)


def test_a_block_that_is_never_closed_goes_to_the_end() -> None:
    (block,) = taken("before\n```python\nx = 1\n``\ny").blocks
    assert block.content == "x = 1\n``\ny"


def test_a_longer_fence_is_closed_by_one_as_long() -> None:
    (block,) = taken('````python\ns = """\n```\n"""\n````').blocks
    assert block.content == 's = """\n```\n"""'


def test_the_same_report_of_a_run_gets_the_same_ids_and_equal_blocks_get_two() -> None:
    report = "```python\nx\n```\n```python\nx\n```"
    assert taken(report) == taken(report)
    assert len({block.code_id for block in taken(report).blocks}) == 2
    assert without_code(report, run_id="r-2", at=AT, language="zh").blocks != taken(report).blocks


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("\nx = 1", "代码片段"),
        ("", "代码片段"),
        ("# a -- b --> <c> | d", "# a  b  c  d"),
        ("<>|--", "代码片段"),
        ("x" * 80, "x" * 50),
    ],
)
def test_the_description_is_the_first_line_without_what_would_end_the_placeholder(code: str, words: str) -> None:
    assert described(code, "zh") == words


def test_without_a_first_line_the_description_is_in_the_language() -> None:
    assert described("", "en") == "code"


def test_a_person_gets_all_of_it_back() -> None:
    found = taken("a\n```python\nx = '```'\n```\nb")
    kept = {block.code_id: block.content for block in found.blocks}
    assert markdown_of(found.text, kept) == "a\n````python\nx = '```'\n````\nb"


def test_a_placeholder_that_a_model_wrote_itself_stays_as_it_is() -> None:
    forged = "<!-- CODE_SAVED: code_20260309_00000000 | x -->"
    assert markdown_of(forged, {}) == forged


def test_long_code_is_cut_for_a_model() -> None:
    lines = [f"line {number}" for number in range(1, 61)]
    shown = cut("\n".join(lines), "en").splitlines()
    assert shown[:20] == lines[:20]
    assert shown[20] == "… (30 lines omitted) …"
    assert shown[21:] == lines[-10:]
    assert cut("\n".join(lines[:50]), "en") == "\n".join(lines[:50])


@given(st.lists(st.sampled_from(["```python", "```", "~~~", "~~~python", "x = 1", "", "````", "text"]), max_size=20))
def test_nothing_of_a_report_is_lost(lines: list[str]) -> None:
    found = taken("\n".join(lines))
    text = found.text
    for block in found.blocks:
        assert text.count(block.placeholder) == 1
        text = text.replace(block.placeholder, block.content)
    fences = ("```", "~~~", "````", "```python", "~~~python")
    kept = [line for line in lines if line not in fences]
    assert [line for line in text.split("\n") if line in kept and line] == [line for line in kept if line]
    assert taken(found.text).blocks == ()
