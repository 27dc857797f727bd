"""Keys: shown once, kept as a hash, known to a running service at once."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tablewright.domain.ids import ManualClock
from tablewright.errors import Conflict
from tablewright.service.api_keys import ApiKeys


def test_a_key_speaks_for_its_owner_until_it_is_deleted(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path)
    key = keys.create("laptop", ManualClock(), owner="anna")
    assert key.startswith("tw_")
    found = keys.scope_of(key)
    assert found is not None
    assert found.owner == "anna"
    assert keys.scope_of(key + "x") is None
    assert keys.delete("laptop")
    assert keys.scope_of(key) is None
    assert not keys.delete("laptop")


@pytest.mark.requirement("security-keys-not-stored")
def test_the_key_itself_is_written_nowhere_and_the_file_is_private(tmp_path: Path) -> None:
    key = ApiKeys(tmp_path).create("laptop", ManualClock())
    (file,) = tmp_path.iterdir()
    assert key not in file.read_text(encoding="utf-8")
    assert key.removeprefix("tw_") not in file.read_text(encoding="utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_running_service_learns_of_new_keys(tmp_path: Path) -> None:
    service, command = ApiKeys(tmp_path), ApiKeys(tmp_path)
    assert service.all() == ()
    key = command.create("a", ManualClock())
    assert service.scope_of(key) is not None


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path)
    keys.create("a", ManualClock())
    with pytest.raises(Conflict):
        keys.create("a", ManualClock())
