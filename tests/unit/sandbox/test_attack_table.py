"""The page of attacks tells of each attack that there is, and of no other end than it may have."""

from __future__ import annotations

from tests.support.attack_table import COLUMNS, rows

from tablewright.sandbox.conformance.attacks import ATTACKS
from tablewright.sandbox.conformance.attacks_how import HOW, OF_THE_MOMENT


def test_every_attack_has_its_row_and_its_words() -> None:
    names = [attack.name for attack in ATTACKS]
    assert list(rows()) == names
    assert set(names) == set(HOW)
    assert set(names) >= OF_THE_MOMENT


def test_a_cell_tells_ends_that_mean_the_attack_was_contained() -> None:
    table = rows()
    for attack in ATTACKS:
        assert set(table[attack.name]) == set(COLUMNS)
        for ends in table[attack.name].values():
            assert ends
            assert ends <= attack.ends
