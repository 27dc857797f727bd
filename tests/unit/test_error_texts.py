"""Errors as a person reads them."""

from __future__ import annotations

import pytest

from tablewright.cli.clients.refusals import RemoteSaid
from tablewright.errors import FormatUnsupported, InternalError, ModelRejected, SettingsInvalid, StoreUnavailable
from tablewright.texts.catalogue import text
from tablewright.texts.errors import describe


def test_lists_are_joined_as_the_language_does_it() -> None:
    error = FormatUnsupported(name="a.png", supported="csv, xlsx")
    assert "csv, xlsx" in describe(error, "en")
    assert "csv、xlsx" in describe(error, "zh")


@pytest.mark.parametrize(
    ("rows", "told"), [(1, "has 1 row, "), ("1", "has 1 row, "), (0, "has 0 rows, "), (21, "has 21 rows, ")]
)
def test_a_noun_agrees_with_its_number(rows: object, told: str) -> None:
    assert told in text("code_result_too_long", "en", rows=rows)


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


def test_what_others_said_is_shown_as_it_was_and_only_a_reason_is_translated() -> None:
    refused = ModelRejected(model="m", words="401 no such key.")
    assert "refused the request: 401 no such key. Check" in describe(refused, "en")
    assert "拒绝了请求：401 no such key。" in describe(refused, "zh")
    newer = StoreUnavailable("database_newer", url="u", revision="9999")
    assert "已被更新版本的 Tablewright 使用过（修订 9999）" in describe(newer, "zh")
    assert "internal" in describe(ModelRejected(model="m", words="internal"), "en")
    assert "the reason is not known" in describe(ModelRejected(model="m"), "en")


def test_a_run_that_failed_before_words_had_a_field_still_says_why() -> None:
    assert "refused the request: 401 no such key. Check" in describe(ModelRejected("401 no such key", model="m"), "en")


def test_what_developers_are_told_is_for_the_log_alone() -> None:
    error = InternalError(note="a run with this id exists")
    assert "a run with this id exists" in str(error)
    assert "id" not in describe(error, "en").split()
