"""Every adapter that is named as text exists."""

from __future__ import annotations

import importlib.util

import pytest

from tablewright.bootstrap import loading
from tablewright.bootstrap.loading import ALL, EDITING_MODULES, READING_MODULE, load


@pytest.mark.parametrize("name", ALL)
def test_every_name_resolves(name: str) -> None:
    assert callable(load(name))


def test_no_name_is_left_out_of_the_list() -> None:
    named = {value for key, value in vars(loading).items() if key.isupper() and isinstance(value, str) and ":" in value}
    assert named == set(ALL)


@pytest.mark.parametrize("name", [READING_MODULE, *EDITING_MODULES])
def test_a_module_that_children_import_ahead_exists(name: str) -> None:
    assert importlib.util.find_spec(name) is not None
