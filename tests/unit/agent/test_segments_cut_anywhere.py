from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.agent.reading import block, read

LINES = (
    "# @step: 读取数据",
    "# @step: Sum",
    "    # @step: inner",
    "x = 1",
    "else_ = 2",
    "e",
    "if x:",
    "    y = 2",
    "else:",
    "try:",
    "except ValueError:",
    "",
    "   ",
    "# note",
    "s = '''",
    "'''",
    's = """a',
    'b"""',
    "t = 'it\\",
    "s'",
    "u = '<|end_code|>'",
    "v = '<|end_code|>",
    "f(1,",
    "2)",
    "%time x",
    "!ls",
    "```python",
    "```",
    "<|begin_code|>",
    "<|begin_",
    "<|end_code|>",
    "<|end_code|",
    "w = 1<|end_code|>after",
    "结论：1,234.5",
)
TURNS = st.lists(st.sampled_from(LINES), max_size=14).map("\n".join)
ENDS = st.sampled_from(("\n", "\r\n"))


def cut(text: str, places: list[int]) -> list[str]:
    edges = [0, *sorted({place % (len(text) + 1) for place in places}), len(text)]
    return [text[begin:end] for begin, end in itertools.pairwise(edges)]


@pytest.mark.requirement("analyst-read-alike-however-cut")
@settings(max_examples=400, deadline=None)
@given(turn=TURNS, end=ENDS, in_block=st.booleans(), places=st.lists(st.integers(0, 400), max_size=12))
def test_a_turn_reads_the_same_however_it_is_cut(turn: str, end: str, in_block: bool, places: list[int]) -> None:
    text = (block(turn) if in_block else turn).replace("\n", end)
    whole = read([text])
    assert read(cut(text, places)) == whole
    assert read(text) == whole
