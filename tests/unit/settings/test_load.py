"""Where settings come from, which place wins, and what is said about a mistake."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tablewright.errors import SettingsInvalid
from tablewright.settings.load import Loaded, load_settings
from tablewright.texts.errors import describe


def load(
    folder: Path,
    environ: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
    here: str | None = None,
    user: str | None = None,
) -> Loaded:
    user_file = folder / "user.yaml"
    if here is not None:
        (folder / "tablewright.yaml").write_text(here, encoding="utf-8")
    if user is not None:
        user_file.write_text(user, encoding="utf-8")
    return load_settings(environ=environ or {}, flags=flags, folder=folder, user_file=user_file)


def test_without_any_place_the_defaults_hold(tmp_path: Path) -> None:
    loaded = load(tmp_path)
    assert loaded.settings.model == "builtin"
    assert loaded.settings.react.max_steps == 10
    assert loaded.origins == {}


@pytest.mark.requirement("settings-order")
def test_a_flag_wins_over_the_environment_which_wins_over_files(tmp_path: Path) -> None:
    user = "react:\n  max_steps: 1\n  max_step_retry: 1\n  max_total_retry: 1\nmodel: a:b\n"
    here = "react:\n  max_steps: 2\n  max_step_retry: 2\n  max_total_retry: 2\n"
    environ = {"TABLEWRIGHT_REACT__MAX_STEPS": "3", "TABLEWRIGHT_REACT__MAX_STEP_RETRY": "3"}
    loaded = load(tmp_path, environ, {"react.max_steps": 4}, here=here, user=user)
    react = loaded.settings.react
    assert (react.max_steps, react.max_step_retry, react.max_total_retry) == (4, 3, 2)
    assert loaded.settings.model == "a:b"
    assert loaded.origins["react.max_steps"] == "command line"
    assert loaded.origins["react.max_step_retry"] == "environment"
    assert loaded.origins["react.max_total_retry"] == str(tmp_path / "tablewright.yaml")
    assert loaded.origins["model"] == str(tmp_path / "user.yaml")


def test_a_provider_of_any_name_can_be_configured(tmp_path: Path) -> None:
    loaded = load(
        tmp_path, {"TABLEWRIGHT_PROVIDERS__MINE__API_KEY": "k"}, here="providers:\n  mine:\n    base_url: u\n"
    )
    mine = loaded.settings.providers["mine"]
    assert mine.base_url == "u"
    assert mine.api_key is not None
    assert mine.api_key.get_secret_value() == "k"


def test_keys_that_other_programs_use_come_last(tmp_path: Path) -> None:
    environ = {"OPENAI_API_KEY": "usual"}
    assert load(tmp_path, environ).origins["providers.openai.api_key"] == "environment (OPENAI_API_KEY)"
    ours = load(tmp_path, environ, here="providers:\n  openai:\n    api_key: ours\n").settings.providers["openai"]
    assert ours.api_key is not None
    assert ours.api_key.get_secret_value() == "ours"


def test_an_empty_variable_is_not_set(tmp_path: Path) -> None:
    assert load(tmp_path, {"TABLEWRIGHT_MODEL": ""}).settings.model == "builtin"


def test_lists_in_the_environment_are_written_with_commas(tmp_path: Path) -> None:
    loaded = load(tmp_path, {"TABLEWRIGHT_SANDBOX__PRELOAD_PACKAGES": "pandas, numpy"})
    assert loaded.settings.sandbox.preload_packages == ("pandas", "numpy")


def test_a_mistyped_variable_names_itself_and_the_near_setting(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as raised:
        load(tmp_path, {"TABLEWRIGHT_REACT__MAXSTEPS": "3"})
    said = describe(raised.value, "en")
    assert "TABLEWRIGHT_REACT__MAXSTEPS (environment)" in said
    assert "perhaps react.max_steps is meant" in said
    assert "也许是 react.max_steps" in describe(raised.value, "zh")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("react:\n  max_step: 3\n", "perhaps react.max_steps is meant"),
        ("raect:\n  max_steps: 3\n", "perhaps react.max_steps is meant"),
        ("react:\n  max_steps: many\n", "react.max_steps"),
        ("react: 3\n", "react"),
        ("database:\n  url: mysql://ann:secret@host/db\n", "“mysql://ann:***@host/db” is not a possible value"),
        ("database:\n  url: postgresql://ann@host:port/db\n", "postgresql://user:password@host/name"),
        ("react:\n  max_steps: 0\n", "must be at least 1"),
        ("- a\n", "names with their values"),
        ("react: [\n", "not valid YAML"),
        ("zzz: 1\n", "no such setting"),
    ],
)
def test_a_mistake_in_a_file_names_the_file_and_what_is_wrong(tmp_path: Path, written: str, expected: str) -> None:
    with pytest.raises(SettingsInvalid) as raised:
        load(tmp_path, here=written)
    said = describe(raised.value, "en")
    assert str(tmp_path / "tablewright.yaml") in said
    assert expected in said


@pytest.mark.requirement("bad-input-configuration")
@pytest.mark.parametrize(
    ("variable", "value", "en", "zh"),
    [
        ("REACT__MAX_STEPS", "many", "it must be a whole number", "应为整数"),
        ("REACT__MAX_STEPS", "0", "it must be at least 1", "不能小于 1"),
        ("RUNS__WALL_CLOCK", "0", "it must be more than 0", "应大于 0"),
        ("SERVER__PORT", "99999", "it must be at most 65535", "不能大于 65535"),
        ("LOG__LEVEL", "loud", "one of: debug, info, warning, error", "以下之一：debug, info, warning, error"),
        ("FILES__MAX_SIZE", "large", "a size such as 512MiB", "应为大小"),
        ("FILES__OPEN_MEMORY", "1MiB", "it must be at least 128 MiB", "不能小于 128 MiB"),
        ("MCP__SSE", "perhaps", "it must be true or false", "应为 true 或 false"),
    ],
)
def test_what_would_fit_is_said_in_the_readers_language(
    tmp_path: Path, variable: str, value: str, en: str, zh: str
) -> None:
    with pytest.raises(SettingsInvalid) as raised:
        load(tmp_path, {f"TABLEWRIGHT_{variable}": value})
    assert en in describe(raised.value, "en")
    assert zh in describe(raised.value, "zh")


def test_a_bad_value_names_its_variable(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid) as raised:
        load(tmp_path, {"TABLEWRIGHT_SERVER__PORT": "99999"})
    said = describe(raised.value, "en")
    assert "TABLEWRIGHT_SERVER__PORT" in said
    assert "99999" in said


def test_variables_with_the_prefix_that_are_no_settings_are_left_alone(tmp_path: Path) -> None:
    assert load(tmp_path, {"TABLEWRIGHT_KEY": "tw_x", "TABLEWRIGHT_NO_APT": "1"}).origins == {}
