"""The compose file and the Dockerfile say what the service understands."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.compose import ROOT, mounts, service

from tablewright.settings.load import load_settings


@pytest.mark.parametrize(("given", "runtime"), [({}, "runsc"), ({"TABLEWRIGHT_RUNTIME": "runc"}, "runc")])
def test_the_service_reads_its_environment(given: dict[str, str], runtime: str, tmp_path: Path) -> None:
    found = service(given)
    settings = load_settings(environ=found["environment"], folder=tmp_path, user_file=tmp_path / "none").settings
    assert settings.sandbox.backend == "docker"
    assert settings.sandbox.worker.runtime == runtime
    assert settings.data_dir == Path("/var/lib/tablewright/data")


def test_the_daemon_finds_sessions_where_the_service_has_them() -> None:
    found = service({})
    folder = found["environment"]["TABLEWRIGHT_SANDBOX__DATA__SESSIONS_PATH"]
    assert mounts(found)[folder] == folder
    assert mounts(found)["/var/run/docker.sock"] == "/var/run/docker.sock"
    assert found["environment"]["TABLEWRIGHT_DATA_DIR"] in mounts(found)


def test_only_this_machine_reaches_the_service_unless_somebody_changes_that() -> None:
    assert all(port.startswith("127.0.0.1:") for port in service({})["ports"])


def test_what_the_dockerfile_copies_is_there() -> None:
    lines = (ROOT / "docker" / "Dockerfile").read_text().splitlines()
    copied = [name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]]
    assert copied
    assert all((ROOT / name).exists() for name in copied)
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert all(name in sent or name.split("/")[0] in sent for name in copied)
