"""The functions of plans are named in the reader's language, and so are all their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tablewright.api.excel.catalogue import functions_response
from tablewright.domain.language import Language
from tablewright.domain.operations import operations, schemas


def titles(schema: dict[str, Any]) -> Iterator[str]:
    for part in (schema, *schema.get("$defs", {}).values()):
        yield from (field.get("title", "") for field in part.get("properties", {}).values())


def is_chinese(words: str) -> bool:
    return any("一" <= sign <= "鿿" for sign in words)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_function_and_parameter_is_named_in_the_language(language: Language) -> None:
    listed = functions_response(language).functions
    assert [one.name for one in listed] == list(operations())
    for one in listed:
        for words in (one.label, one.description, *titles(one.parameters)):
            assert is_chinese(words) == (language == "zh"), (one.name, words)


def test_the_schemas_for_models_are_left_as_they_are() -> None:
    functions_response("zh")
    assert not any(is_chinese(title) for schema in schemas().values() for title in titles(schema))
