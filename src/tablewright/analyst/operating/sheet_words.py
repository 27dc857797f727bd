"""Descriptions of the settings of a sheet as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.analyst.operating.color_names import color_name
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

Given = Mapping[str, Any]


def tab_colored(given: Given, language: Language) -> str:
    """Return the description of a tab's colour."""
    named = given["color"]
    color = color_name(named, language) if named else text("operating.no_color", language)
    what = text("operating.tab_colored", language, sheet=_sheet(given, language), color=color)
    return text("operating.do.set_tab_color", language, what=what)


def pages_set_up(given: Given, language: Language) -> str:
    """Return the description of how a sheet is printed."""
    parts = [text(f"operating.{given['orientation']}", language)] if given["orientation"] else []
    if (count := given["pages_wide"]) is not None:
        parts.append(text("operating.page_wide" if count == 1 else "operating.pages_wide", language, count=count))
    if given["repeat_rows"]:
        parts.append(text("operating.repeated_rows", language, rows=given["repeat_rows"]))
    named = [given["sheet"]] if given["sheet"] or not parts else []
    what = ("，" if language == "zh" else ", ").join(part or _sheet(given, language) for part in [*named, *parts])
    return text("operating.do.set_page_setup", language, what=what)


def protection(given: Given, language: Language) -> str:
    """Return the description of a sheet's protection."""
    sheet = _sheet(given, language)
    if not given["protected"]:
        return text("operating.unprotect", language, sheet=sheet)
    if given["unlocked"]:
        columns = ("、" if language == "zh" else ", ").join(given["unlocked"])
        return text("operating.protect_but", language, sheet=sheet, columns=columns)
    return text("operating.do.protect_sheet", language, what=sheet)


def _sheet(given: Given, language: Language) -> str:
    return given["sheet"] or text("operating.first_sheet", language)
