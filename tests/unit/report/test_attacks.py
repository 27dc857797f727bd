"""Every attack of `tests/suites/report_attacks.json`, with what became of it."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.support.report_digest import digest

from tablewright.report.blocks import ReportMeta
from tablewright.report.html_file import POLICY, html_document
from tablewright.report.view import view_of

SUITE = Path(__file__).parents[2] / "suites" / "report_attacks.json"
ATTACKS: list[dict[str, Any]] = json.loads(SUITE.read_text(encoding="utf-8"))
SMALL = [attack for attack in ATTACKS if "times" not in attack]
LARGE = [attack for attack in ATTACKS if "times" in attack]
HEAD = {"html", "head", "meta", "title", "style", "body"}
TAGS = HEAD | {
    "h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "strong", "em", "s", "code", "pre", "a", "ul", "ol", "li",
    "table", "thead", "tbody", "tr", "th", "td", "blockquote", "figure", "figcaption", "img",
    "svg", "rect", "line", "circle", "polyline", "path", "text",
}  # fmt: skip
ATTRIBUTES = {"class", "href", "rel", "target", "start", "alt", "src"}
DRAWN = {"svg", "rect", "line", "circle", "polyline", "path", "text"}


class _Inspector(HTMLParser):
    """Collects what no document of ours may hold."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.faults.append(tag)
        for name, value in attrs:
            if tag not in HEAD | DRAWN and name not in ATTRIBUTES:
                self.faults.append(f"{tag} {name}")
            if name.startswith("on") or (name == "style"):
                self.faults.append(f"{tag} {name}")
            if name == "href" and not str(value).lower().startswith(("http://", "https://", "mailto:")):
                self.faults.append(f"{tag} {name}={value}")
            if name == "src" and not str(value).startswith("data:image/png;base64,"):
                self.faults.append(f"{tag} {name}={value}")


def report_of(attack: dict[str, Any]) -> str:
    if "text" in attack:
        return str(attack["text"])
    unit, times = str(attack["unit"]), int(attack["times"])
    return f"{attack.get('head', '')}{unit * times}{attack.get('tail', '')}"


def faults_of(attack: dict[str, Any]) -> tuple[str, list[str]]:
    view = view_of(report_of(attack), codes=frozenset(attack.get("codes", ())), images={"figure.png": "art1"})
    document = html_document(view, ReportMeta(title="<script>alert(1)</script>"))
    inspector = _Inspector()
    inspector.feed(document)
    inspector.close()
    assert POLICY in document
    return digest(view), inspector.faults


@pytest.mark.parametrize("attack", SMALL, ids=[attack["name"] for attack in SMALL])
def test_an_attack_becomes_what_the_list_says_and_leaves_only_our_own_markup(attack: dict[str, Any]) -> None:
    became, faults = faults_of(attack)
    assert became == attack["became"]
    assert faults == []


def test_the_list_has_at_least_eighty_attacks_each_with_a_name_of_its_own() -> None:
    assert len({attack["name"] for attack in ATTACKS}) == len(ATTACKS) >= 80
