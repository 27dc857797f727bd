"""The configuration as it is shown, and the first file that is written."""

from __future__ import annotations

from pathlib import Path

import yaml

from tablewright.settings.covering import without_password
from tablewright.settings.example import example_file
from tablewright.settings.load import load_settings
from tablewright.settings.names import ANY, fields
from tablewright.settings.show import shown
from tablewright.settings.tree import Settings


def test_secrets_and_passwords_are_covered(tmp_path: Path) -> None:
    environ = {
        "OPENAI_API_KEY": "sk-very-secret",
        "TABLEWRIGHT_DATABASE__URL": "postgresql://anna:hush@db/tw",
        "TABLEWRIGHT_PROVIDERS__MINE__SECRET_KEY": "hidden",
    }
    rows = {row.name: row for row in shown(load_settings(environ=environ, folder=tmp_path, user_file=tmp_path / "no"))}
    assert rows["providers.openai.api_key"].value == "***"
    assert rows["providers.mine.secret_key"].value == "***"
    assert rows["database.url"].value == "postgresql://anna:***@db/tw"
    assert rows["database.url"].source == "environment"
    assert rows["model"].source == "default"
    assert not {"sk-very-secret", "hush", "hidden"} & {str(row.value) for row in rows.values()}


def test_a_url_without_a_password_is_shown_as_it_is() -> None:
    assert without_password("sqlite+aiosqlite:////data/tablewright.db") == "sqlite+aiosqlite:////data/tablewright.db"


def test_the_first_file_changes_nothing_and_names_every_setting() -> None:
    for language in ("zh", "en"):
        written = example_file(language)
        assert yaml.safe_load(written) is None
        for name, _ in fields():
            if ANY not in name:
                assert f"{name.rsplit('.', 1)[-1]}:" in written


def test_the_first_file_uncommented_is_the_default_configuration(tmp_path: Path) -> None:
    lines = example_file("en").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("# data_dir:"))
    last = lines.index("# providers:")
    (tmp_path / "tablewright.yaml").write_text("\n".join(line[2:] for line in lines[first:last]), encoding="utf-8")
    loaded = load_settings(environ={}, folder=tmp_path, user_file=tmp_path / "no")
    assert loaded.settings == Settings()
