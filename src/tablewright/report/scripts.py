"""Finds the charts that a script sets up, without running it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tablewright.report.blocks import IsolationReason
from tablewright.report.literals import NotData, read_literal
from tablewright.report.options import SafeOption, safe_option

MOST_CHARTS = 40

_CALL = re.compile(
    r"(?P<receiver>[\w$]{0,80})\s{0,20}\.\s{0,20}setOption\s{0,20}\(\s{0,200}(?P<name>[A-Za-z_$][\w$]{0,80}\s*[,)])?"
)
_DECLARED = r"(?<![\w$.])(?:var|let|const)\s+{name}\s*=\s*(?=\{{)"
_ELEMENT = r"(?:getElementById|querySelector)\(\s*[\"']#?(?P<id>[\w-]{1,200})[\"']\s*\)"
_ANY_ELEMENT = re.compile(_ELEMENT)
_AFTER = re.compile(r"\s{0,200}(?:,\s{0,200}(?:true|false|\{[^{}()]{0,200}\})\s{0,200})?\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptChart:
    """A chart that a script sets up; `element` is the id of where it is drawn, if it is known."""

    chart: SafeOption
    element: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptContent:
    """The charts of a script, and why it must be isolated, if it must; `elements` are all ids that it looks up."""

    charts: tuple[ScriptChart, ...]
    isolated: IsolationReason | None
    elements: tuple[str, ...]


def script_content(script: str) -> ScriptContent:
    """Read what the `script` sets up. A chart counts only if its option is a literal that nothing else touches."""
    charts: list[ScriptChart] = []
    isolated: IsolationReason | None = None
    elements = tuple(dict.fromkeys(match["id"] for match in _ANY_ELEMENT.finditer(script)))[:MOST_CHARTS]
    calls = list(islice(_CALL.finditer(script), MOST_CHARTS + 1))
    in_order = elements if len(elements) == len(calls) else (None,) * len(calls)
    found, after = 0, 0
    for call, element in zip(calls, in_order, strict=True):
        if call.start() < after:
            continue
        found += 1
        if found > MOST_CHARTS:
            isolated = "too_large"
            break
        try:
            value, after = _option(script, call)
            charts.append(ScriptChart(chart=safe_option(value), element=_element(script, call) or element))
        except NotData as refused:
            isolated = refused.reason
    if not found and script.strip():
        isolated = "script"
    return ScriptContent(charts=tuple(charts), isolated=isolated, elements=elements)


def _option(script: str, call: re.Match[str]) -> tuple[dict[str, Any], int]:
    """Return the option of a call and the position after it. Raises `NotData`."""
    if call["name"] is None:
        literal = read_literal(script, call.end())
        if _AFTER.match(script, literal.end) is None:
            raise NotData("not_data")
        return literal.value, literal.end
    name = re.escape(call["name"].rstrip(",) \t\r\n"))
    mentions = len(re.findall(rf"(?<![\w$.]){name}(?![\w$])(?!\s*:)", script))
    declared = re.search(_DECLARED.format(name=name), script)
    if declared is None or mentions != 2:
        # Something else may change it before it is shown.
        raise NotData("not_data")
    return read_literal(script, declared.end()).value, call.end()


def _element(script: str, call: re.Match[str]) -> str | None:
    """Return the id of the element on which the chart's receiver was set up."""
    if call["receiver"]:
        name = re.escape(call["receiver"])
        direct = re.search(rf"(?<![\w$.]){name}\s*=\s*[\w$.]{{0,80}}init\(\s*(?:[\w$]{{1,80}}\.)?{_ELEMENT}", script)
        if direct is not None:
            return direct["id"]
    return None
