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
    "<|code_output|>",
    " <|code_error|>",
    "z = '<|code_output|>'",
    "<|code_",
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


RECORDED = (
    """先看一下数据。
<|begin_code|>
import pandas as pd
# @step: 读取门店销售表
df = pd.read_excel("/data/shared/门店销售.xlsx", header=2)
note = \"\"\"
# @step: 这一行在字符串里
\"\"\"
# @step: 按大区汇总
for name, part in df.groupby("大区"):
    # @step: 逐区输出
    print(name, part["销售额"].sum())

# 说明：合计行已去掉
# @step: 输出分析结论
print("done")
<|end_code|>
华东最高，为 456,401。""",
    """<|begin_code|>
# @step: Load
try:
    df = pd.read_csv("a.csv")
# @step: Fall back
except UnicodeDecodeError:
    df = pd.read_csv("a.csv", encoding="gbk")
tag = '<|end_code|>'
x = (1 +
# @step: Not yet
     2)
<|begin_code|>
# @step: Again
%time df.sum()
```python
<|end_code|> and more
<|begin_code|>
# @step: Never closed
y = 'it\\
s' """,
)


@pytest.mark.requirement("analyst-read-alike-however-cut")
@pytest.mark.parametrize("turn", RECORDED)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_recorded_turns_read_the_same_at_every_cut(turn: str, end: str) -> None:
    text = turn.replace("\n", end)
    whole = read([text])
    assert len(whole) > 10
    for first in range(len(text) + 1):
        assert read([text[:first], text[first:]]) == whole, first
        for length in (1, 2, 7):
            assert read(cut(text, [first, first + length])) == whole, (first, length)
