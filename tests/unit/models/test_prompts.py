"""The prompt files: both languages say the same things, and the tools are described."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from string import Formatter, Template

import pytest

from tablewright.models.control import ASK_USER, DECLINE, control_tools

FOLDER = Path(str(files("tablewright.models"))) / "prompts"
NAMES = sorted(path.name for path in (FOLDER / "en").iterdir())


def test_both_languages_have_the_same_files() -> None:
    assert sorted(path.name for path in (FOLDER / "zh").iterdir()) == NAMES


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".md")])
def test_both_languages_use_the_same_placeholders(name: str) -> None:
    zh, en = (
        sorted(set(Template((FOLDER / language / name).read_text("utf-8")).get_identifiers()))
        for language in ("zh", "en")
    )

    assert zh == en


def test_both_languages_have_the_same_phrases_with_the_same_placeholders() -> None:
    zh, en = (json.loads((FOLDER / language / "phrases.json").read_text("utf-8")) for language in ("zh", "en"))

    assert zh.keys() == en.keys()
    for code in zh:
        assert fields(zh[code]) == fields(en[code]), code


def fields(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


def test_every_phrase_is_used() -> None:
    source = "".join(path.read_text("utf-8") for path in FOLDER.parent.glob("*.py"))
    phrases = json.loads((FOLDER / "en" / "phrases.json").read_text("utf-8"))

    figures = {"missing", "distinct", "minimum", "maximum", "mean"}
    unused = {code for code in phrases if f'"{code}"' not in source.replace("'", '"')} - figures
    assert {code for code in unused if not code.startswith(("notation_", "irregular_", "relation_"))} == set()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_control_tools_take_what_was_agreed(language: str) -> None:
    ask_user, decline = control_tools("zh" if language == "zh" else "en")

    assert (ask_user.name, decline.name) == (ASK_USER, DECLINE)
    assert list(ask_user.parameters["properties"]) == ["question", "options", "schema"]
    assert ask_user.parameters["required"] == ["question"]
    assert decline.parameters["required"] == ["understood", "reason", "suggestions"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_tools_speak_the_language_of_the_conversation(language: str) -> None:
    tools = control_tools("zh" if language == "zh" else "en")

    assert all(bool(re.search("[\u4e00-\u9fff]", tool.description)) is (language == "zh") for tool in tools)


def test_the_documentation_names_every_prompt_file() -> None:
    page = (Path(__file__).parents[3] / "docs" / "prompts.md").read_text("utf-8")

    assert [name for name in NAMES if f"`{name}`" not in page] == []
