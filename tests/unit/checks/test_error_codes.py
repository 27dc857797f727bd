"""Prose in errors, wherever it could hide from who translates it."""

from __future__ import annotations

import ast

import pytest
from checks import error_codes

TREE = """
class TablewrightError(Exception): ...
class CallerError(TablewrightError): ...
class InvalidInput(errors.CallerError): ...
class Elsewhere(Exception): ...
"""
CODES = frozenset({"door_shut", "door_open", "door_lost_crashed", "source_command_line"})


def faults(call: str) -> list[str]:
    modules = {"house/errors.py": ast.parse(TREE), "house/door.py": ast.parse(call)}
    return list(error_codes.faults(modules, CODES))


@pytest.mark.parametrize(
    "call",
    [
        "raise InvalidInput()",
        "raise InvalidInput('door_shut', name=name)",
        "raise errors.InvalidInput('door_shut' if shut else 'door_open')",
        "raise InvalidInput('door_shut' if shut else '', words=str(error))",
        "raise InvalidInput(f'door_lost_{status}')",
        "raise InvalidInput(detail, words=error.strerror or str(error))",
        "raise InvalidInput(notice.code, **notice.params)",
        "raise InvalidInput(answer['detail'], field=answer['field'])",
        "raise InvalidInput(source='command line', words=f'{kind}: {words}')",
        "raise TablewrightError(note='two doors have one number')",
        "raise Elsewhere('the door is shut')",
    ],
)
def test_codes_and_what_others_said_are_let_through(call: str) -> None:
    assert not faults(call)


@pytest.mark.parametrize(
    "call",
    [
        "raise InvalidInput('the door is shut')",
        "raise InvalidInput('door_ajar')",
        "raise InvalidInput(f'the door {name} is shut')",
        "raise InvalidInput(f'{name} is shut')",
        "raise InvalidInput('door_shut' if shut else 'it is open')",
        "raise InvalidInput(str(error))",
        "raise InvalidInput(error.strerror or str(error))",
        "raise InvalidInput(words)",
        "raise InvalidInput('door_shut', 'and locked')",
        "raise InvalidInput(words='the door is shut')",
        "raise InvalidInput(words=f'the door {name} is shut')",
        "raise InvalidInput(source='back door')",
        "error = CallerError('the door is shut')",
        "return house.errors.TablewrightError('shut')",
    ],
)
def test_prose_is_found_however_it_is_handed_over(call: str) -> None:
    (fault,) = faults(call)
    assert fault.startswith("house/door.py:1: ")


def test_an_error_of_another_module_belongs_to_the_tree() -> None:
    assert error_codes.tree({"errors.py": ast.parse(TREE)}) == {"TablewrightError", "CallerError", "InvalidInput"}
