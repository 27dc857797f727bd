"""The measurements in the outcomes of a report's calls: the last line that each printed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.analyst.reporting.agenda import Agenda, Item
from tablewright.analyst.reporting.finding import Finding
from tablewright.analyst.reporting.subject import Subject
from tablewright.analyst.reporting.themes.base import Measured
from tablewright.domain.structured import StructuredRoundFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What became of a call: its measurements; None if it failed, or if what it printed came back cut."""

    item: Item
    measured: Measured | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a report is written from: the measurements, and the findings that hold after `tests` tests."""

    agenda: Agenda
    outcomes: tuple[Measurement, ...]
    findings: tuple[Finding, ...]
    tests: int

    def look(self, subject: Subject) -> Measured | None:
        """Return the first look at a table."""
        return next((one.measured for one in self.outcomes if one.item.id == self.look_id(subject)), None)

    def look_id(self, subject: Subject) -> str:
        """Return the id of the call that looks at a table first; empty if there is none."""
        looks = (item for item in self.agenda.items if item.theme.name == "look" and item.subject == subject)
        return next((item.id for item in looks), "")

    @property
    def several(self) -> bool:
        """Whether several tables were looked at, so that what is said of one has to name it."""
        return sum(self.look(subject) is not None for subject in self.agenda.subjects) > 1

    def table_of(self, finding: Finding) -> str | None:
        """Return the name of the table of a finding, if there are several."""
        found = (item.subject.facts.name for item in self.agenda.items if item.id == finding.step)
        return next(found, None) if self.several else None


def measurements(items: Sequence[Item], rounds: Sequence[StructuredRoundFacts]) -> list[Measurement]:
    """Return the measurement of each of `items`."""
    return [Measurement(item=item, measured=printed_by(item.id, rounds)) for item in items]


def printed_by(call_id: str, rounds: Sequence[StructuredRoundFacts]) -> Measured | None:
    """Return what a call printed as its last line; None if it was not made or failed, or that is no JSON."""
    texts = {outcome.tool_call_id: outcome.text for facts in rounds for outcome in facts.outcomes if not outcome.failed}
    return _printed(texts.get(call_id, ""))


def _printed(text: str) -> Measured | None:
    """Return the last line that is a JSON object with the number of tests made; None if there is none."""
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            try:
                found = json.loads(line)
            except ValueError:
                return None
            return found if isinstance(found, dict) and isinstance(found.get("tests"), int) else None
    return None
