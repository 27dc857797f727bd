"""Reading what models write."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.models.lenient_json import read_json, read_object

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(st.text(max_size=5), JSON, max_size=4) | st.lists(JSON, max_size=4)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('Here you are:\n```json\n{"a": [1, 2]}\n```\nEnjoy.', {"a": [1, 2]}),
        ('The plan is {"steps": ["one"]} as you wished.', {"steps": ["one"]}),
        ("[1, 2, 3]", [1, 2, 3]),
        ("{'a': 'it', 'b': True,}", {"a": "it", "b": True}),
        ('{"a": 1, // why\n "b": 2}', {"a": 1, "b": 2}),
        ('{"a": "first line\nsecond"}', {"a": "first line\nsecond"}),
        ('{"a": {"b": [1, 2', {"a": {"b": [1, 2]}}),
        ('\ufeff{"金额": 3}', {"金额": 3}),
    ],
)
def test_json_is_read_through_its_usual_faults(text: str, value: Any) -> None:
    assert read_json(text) == value


@pytest.mark.parametrize("text", ["", "no JSON here", "42", '"text"'])
def test_text_without_an_object_or_a_list_holds_no_json(text: str) -> None:
    assert read_json(text) is None


def test_an_object_is_asked_for_where_a_list_will_not_do() -> None:
    assert read_object("[1]") is None
    assert read_object('{"a": 1}') == {"a": 1}


@given(DOCUMENTS, st.data())
def test_any_cut_of_json_is_read_without_failing(document: Any, data: st.DataObject) -> None:
    text = json.dumps(document, ensure_ascii=data.draw(st.booleans()))
    cut = text[: data.draw(st.integers(0, len(text)))]

    assert read_json(cut) is None or isinstance(read_json(cut), dict | list)


@given(DOCUMENTS, st.sampled_from(["", "Sure!\n", "```json\n"]))
def test_whole_json_is_read_as_it_is_with_or_without_words_before_it(document: Any, before: str) -> None:
    assert read_json(before + json.dumps(document)) == document


@given(st.text(max_size=60))
def test_any_text_is_read_without_failing(text: str) -> None:
    read_json(text)
