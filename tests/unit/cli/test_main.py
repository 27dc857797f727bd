"""The command itself: its help in both languages, its mistakes, its lightness."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S, slow

from tablewright import __version__
from tablewright.cli.commands import COMMANDS
from tablewright.cli.exits import Exit
from tablewright.cli.languages import terminal_language
from tablewright.cli.main import overview, run
from tablewright.texts.catalogue import Language

HELP_S = slow(0.15)
STARTER = "from tablewright.cli.main import main; main()"
KEEPING = """
import sys
from pathlib import Path
from tablewright import method_code
sys.dont_write_bytecode = False
method_code.METHODS = method_code.MethodCode(Path(sys.argv.pop(1)))
"""
"""Begins a command that keeps the methods of its classes where the first argument says."""


@pytest.mark.parametrize("language", ["zh", "en"])
def test_help_names_every_command_with_examples(language: Language, capsys: pytest.CaptureFixture[str]) -> None:
    shown = overview(language)
    for command in COMMANDS:
        assert command.name in shown
        with pytest.raises(SystemExit) as ended:
            command.parser(language).parse_intermixed_args(["--help"])
        assert ended.value.code == 0
        told = capsys.readouterr().out
        assert told.startswith(f"{'usage: ' if language == 'en' else '用法：'}tablewright {command.name} ")
        assert f"tablewright {command.name}" in told.split("tablewright", 1)[1]
        assert f"\n{'options:' if language == 'en' else '选项：'}\n" in told
        assert language == "en" or not {"options:", "positional", "show this"} & set(told.split())


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "zh_CN", "LC_ALL": "C"}, "en"),
        ({"LC_MESSAGES": "zh_TW", "LANG": "en"}, "zh"),
        ({}, "en"),
    ],
)
def test_the_terminal_says_its_language(environ: dict[str, str], language: str) -> None:
    assert terminal_language(environ) == language


@pytest.mark.parametrize(
    "argv", [["nonsense"], ["eval"], ["serve", "--prot", "1"], ["files", "delete"], ["config", "show", "--set", "x"]]
)
def test_wrong_use_is_told_in_one_line_and_ends_with_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(argv) == Exit.WRONG_USE
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "english", "chinese"),
    [
        (["files"], "list | delete is missing", "缺少 list | delete"),
        (["config", "shwo"], "“shwo” is none of show, init", "“shwo”不在可选值之内：show, init"),
        (["ask", "--modle", "x"], "there is no option --modle", "没有选项 --modle"),
        (["ask", "--model"], "--model needs a value", "--model 需要一个值"),
        (
            ["eval", ".", "--out", "x", "--limit", "y"],
            "--limit needs a whole number, not “y”",
            "--limit 需要整数，而不是“y”",
        ),
        (["serve", "--d"], "--d may mean --demo, --data-dir", "--d 可能指 --demo, --data-dir"),
    ],
)
def test_a_mistake_is_named_in_the_terminals_language(
    argv: list[str], english: str, chinese: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for locale, told in (("en_GB.UTF-8", english), ("zh_CN.UTF-8", chinese)):
        monkeypatch.setenv("LC_ALL", locale)
        assert run(argv) == Exit.WRONG_USE
        assert f"tablewright {argv[0]}" in (said := capsys.readouterr().err)
        assert told in said


def test_a_file_whose_name_begins_with_a_dash_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-a.csv", "--json"):
        (tmp_path / name).touch()
    parser = next(command for command in COMMANDS if command.name == "ask").parser("en")
    assert parser.words(["-a.csv", "--json", "-b.csv", "-", "sum"]) == ["./-a.csv", "--json", "-b.csv", "-", "sum"]


@pytest.mark.requirement("cli-help-instant")
def test_help_is_instant_and_imports_no_agent_model_or_server_code() -> None:
    listing = "import sys; from tablewright.cli.main import run; run(['--help']); run(['ask', '--help']); "
    listing += "print('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    heavy = {"pydantic", "rich", "fastapi", "uvicorn", "pydantic_ai", "sqlalchemy", "polars", "yaml", "structlog"}
    loaded = set(done.stderr.split())
    assert not heavy & loaded
    assert not {name for name in loaded if name.startswith(("tablewright.agent", "tablewright.service"))}


def test_help_takes_less_than_150_ms_of_the_processor() -> None:
    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", STARTER, "--help"], capture_output=True, check=True, timeout=PATIENCE_S)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(once() for _ in range(3)) < HELP_S


def test_the_package_runs_as_the_command() -> None:
    named = [sys.executable, "-m", "tablewright", "--version"]
    done = subprocess.run(named, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (Exit.DONE, f"tablewright {__version__}\n")


def test_what_a_command_compiled_of_its_classes_the_next_does_not(tmp_path: Path) -> None:
    kept, data = tmp_path / "kept", str(tmp_path / "data")
    program = [sys.executable, "-B", "-c", KEEPING + STARTER]

    def listed() -> int:
        subprocess.run(
            [*program, str(kept), "files", "list", "--data-dir", data],
            capture_output=True,
            check=True,
            timeout=PATIENCE_S,
        )
        return kept.stat().st_ino  # what is kept anew is another file

    assert listed() == listed()
