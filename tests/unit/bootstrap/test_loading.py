"""Every adapter that is named as text exists."""

from __future__ import annotations

import importlib.util

import pytest

from tablewright.bootstrap import loading
from tablewright.bootstrap.loading import ALL, READING_MODULE, load


@pytest.mark.parametrize("name", ALL)
def test_every_name_resolves(name: str) -> None:
    assert callable(load(name))


def test_no_name_is_left_out_of_the_list() -> None:
    named = {value for key, value in vars(loading).items() if key.isupper() and isinstance(value, str) and ":" in value}
    assert named == set(ALL)


def test_the_readers_module_exists() -> None:
    assert importlib.util.find_spec(READING_MODULE) is not None
