"""What a validator finds wrong, in words."""

from __future__ import annotations

from typing import get_args

import pytest
from pydantic_core.core_schema import ErrorType

from tablewright.texts.catalogue import catalogue
from tablewright.texts.validation import CODES, problem

OF_TYPES = {"byte_size", "byte_size_unit", "path_type", "value_not_database"}
"""What pydantic's own types and ours add to the core's kinds."""


def test_every_kind_of_mistake_is_one_that_the_validator_makes() -> None:
    assert set(CODES) <= {*get_args(ErrorType), *OF_TYPES}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_kind_of_mistake_has_its_words(language: str) -> None:
    assert set(CODES.values()) <= catalogue(language).keys()


def test_a_kind_that_is_not_known_has_words_of_its_own() -> None:
    assert problem("date_from_datetime_parsing", {}) == {"expected": "value_unusable"}
