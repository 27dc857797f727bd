"""The configuration as the terminal shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.cli.main import run


@pytest.mark.parametrize(
    ("language", "origins"),
    [("zh_CN.UTF-8", ("命令行", "环境变量")), ("en_GB.UTF-8", ("command line", "environment"))],
)
def test_where_a_value_came_from_is_told_in_the_language(
    language: str,
    origins: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.setenv("TABLEWRIGHT_DATA_DIR", str(tmp_path))
    assert run(["config", "show", "--set", "react.max_steps=5"]) == 0
    shown = {line.split(" = ")[0].strip(): line for line in capsys.readouterr().out.splitlines()}
    assert shown["react.max_steps"].endswith(f"5   # {origins[0]}")
    assert shown["data_dir"].endswith(f"# {origins[1]}")
    assert "#" not in shown["react.max_total_retry"]
