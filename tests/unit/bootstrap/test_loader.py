"""Every adapter that is named as text exists."""

from __future__ import annotations

import importlib.util

import pytest

from tablewright.bootstrap import loader
from tablewright.bootstrap.loader import EDITING_MODULES, READING_MODULES, load

NAMES = {key: value for key, value in vars(loader).items() if key.isupper()}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_every_name_resolves(name: str) -> None:
    assert load(name) is not None


@pytest.mark.parametrize("name", [*load(READING_MODULES), *load(EDITING_MODULES)])
def test_a_module_that_children_import_ahead_exists(name: str) -> None:
    assert importlib.util.find_spec(name) is not None
