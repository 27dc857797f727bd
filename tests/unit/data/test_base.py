"""The key of a stored profile."""

from __future__ import annotations

from tablewright.data.base import profile_ref, stored_values
from tablewright.domain.codec import from_json
from tablewright.domain.dataset import DistinctValues

VALUES = {"city": DistinctValues(values=("上海", "北京"), counts=(3, 1), complete=True)}


def test_the_key_is_the_hash_of_what_is_stored() -> None:
    assert from_json(dict[str, DistinctValues], stored_values(VALUES)) == VALUES
    assert profile_ref(VALUES) == profile_ref(dict(VALUES))
    assert len(profile_ref(VALUES)) == 64


def test_other_values_have_another_key() -> None:
    assert profile_ref(VALUES) != profile_ref({"city": DistinctValues(values=("上海",), counts=(4,), complete=True)})
