"""What the themes of a report share: code with its names filled in, and findings from what it printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import Template
from typing import Any

from tablewright.analyst.reporting.figures import Figures
from tablewright.analyst.reporting.finding import Finding
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.writing.literals import listed, quoted
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

Measured = dict[str, Any]
"""What a call printed as its last line: a JSON object."""

YEAR = '.astype("Int64").astype(str), format="%Y"'
"""How a column of years becomes one of dates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """A theme of a report: `code` measures it, `findings` reads the measurements
    and writes them as the cells of the table are; it `fits` a table or not."""

    name: str
    fits: Callable[[Subject], bool]
    code: Callable[[Subject, Language], str]
    findings: Callable[[Measured, str, Language, Figures], list[Finding]]


def filled(code: str, subject: Subject, language: Language, **more: str) -> str:
    """Return `code` with `$names` filled in: the table's variable and columns, and its comments (`$say_…`) in
    `language`."""
    template = Template(code.strip("\n"))
    said = {
        name: text(f"report.code.{name.removeprefix('say_')}", language)
        for name in template.get_identifiers()
        if name.startswith("say_")
    }
    return template.substitute(
        said,
        df=subject.variable,
        df_clean=f"{subject.variable}_clean",
        df_labels=f"{subject.variable}_labels",
        df_left_out=f"{subject.variable}_left_out",
        df_rising=f"{subject.variable}_rising",
        df_identities=f"{subject.variable}_identities",
        measures=listed(subject.measures),
        sums=listed(subject.sums),
        groups=listed(subject.groups),
        things=listed(subject.things),
        date=quoted(subject.date or subject.year or ""),
        **more,
    )
