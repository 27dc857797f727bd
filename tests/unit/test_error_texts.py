"""Errors as a person reads them."""

from __future__ import annotations

from tablewright.cli.clients.http import RemoteSaid
from tablewright.errors import FormatUnsupported, SettingsInvalid
from tablewright.texts.errors import describe


def test_lists_are_joined_as_the_language_does_it() -> None:
    error = FormatUnsupported(name="a.png", supported="csv, xlsx")
    assert "csv, xlsx" in describe(error, "en")
    assert "csv、xlsx" in describe(error, "zh")


def test_what_a_service_said_is_kept_as_it_was_said() -> None:
    said = "“a.csv” holds no table.\nChoose another."
    assert describe(RemoteSaid(message=said, remote_code="file_empty"), "en") == said


def test_the_place_of_a_setting_is_named_in_the_readers_language() -> None:
    given = {"setting": "react.max_stepz", "near": "react.max_steps"}
    error = SettingsInvalid("setting_unknown_near", source="command line", **given)
    assert "（命令行）：没有这个设置；也许是 react.max_steps。" in describe(error, "zh")
    assert "(command line): there is no such setting; perhaps react.max_steps is meant. " in describe(error, "en")
    named = SettingsInvalid("setting_unknown", source="/etc/tablewright.yaml", setting="x")
    assert "/etc/tablewright.yaml" in describe(named, "zh")
