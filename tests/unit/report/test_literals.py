from __future__ import annotations

import json
from typing import Any

import json5
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.report.literals import NotData, read_literal

_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6), _VALUES, max_size=4))
def test_what_json_writes_reads_back_the_same(value: dict[str, Any]) -> None:
    if {"__proto__", "constructor", "prototype"} & set(str(json.dumps(value)).replace('"', " ").split()):
        return
    assert read_literal(json.dumps(value)).value == value


@pytest.mark.parametrize(
    "words",
    [
        "{a:1,'b':\"c\",}",
        "{a:[1,2,],b:{}}",
        "{a:0x1F,b:+1,c:.5,d:5.,e:-1e-3}",
        "{'a':'b\\\nc\\x41\\u4e2d\\'',}",
        "{/*x*/a:1,// y\n$_b:null}",
        "{中文:true}",
    ],
)
def test_a_literal_reads_as_json5_reads_it(words: str) -> None:
    assert read_literal(words).value == json5.loads(words)


@pytest.mark.parametrize(
    "words", ["{a:1 b:2}", "{a}", "{a:b}", "{,}", "{a:1,,}", "{a:1", "[1]", "{a:1/2}", "{a:1..b}", "{a:'x\n'}"]
)
def test_what_is_no_literal_is_refused(words: str) -> None:
    with pytest.raises(NotData):
        read_literal(words)


def test_the_position_after_the_literal_is_given() -> None:
    assert read_literal("x({a:'}'});", 2).end == len("x({a:'}'}")
