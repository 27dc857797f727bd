from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.sandbox.docker import containers
from tablewright.sandbox.docker.config import DockerConfig
from tablewright.sandbox.folders import StateFolder


def test_services_that_share_a_folder_share_its_name_and_others_do_not(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    assert containers.place(one) == containers.place(one)
    assert containers.place(one) != containers.place(other)
    assert [entry.name for entry in one.iterdir()] == ["place"]


def test_a_service_holds_its_folder_while_it_lives(tmp_path: Path) -> None:
    state = StateFolder(tmp_path / "state", "service")
    assert not containers.is_held(state.root)
    state.open()
    assert containers.is_held(state.root)
    state.close()
    assert not containers.is_held(state.root)


@pytest.mark.parametrize(("network", "disabled"), [("none", True), ("tables-only", False)])
def test_a_container_is_its_sessions_folders_and_limits(tmp_path: Path, network: str, *, disabled: bool) -> None:
    room = containers.room(tmp_path, "s1")
    config = DockerConfig(network=network)
    body = containers.specification(config, room, user=1234, labels={"a": "b"})
    assert (body["User"], body["Labels"], body["NetworkDisabled"]) == ("1234:1234", {"a": "b"}, disabled)
    host = body["HostConfig"]
    assert isinstance(host, dict)
    assert host["NetworkMode"] == network
    assert host["Memory"] == host["MemorySwap"] == 2 * 1024**3
    assert {mount["Target"]: mount.get("ReadOnly") for mount in host["Mounts"]} == {
        "/data/shared": True,
        "/data/sessions/s1": False,
        "/tmp": None,
    }
