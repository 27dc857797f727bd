"""What is wrong with a definition, each fault with its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tablewright.errors import Parameter, WorkflowInvalid
from tablewright.texts.catalogue import Language
from tablewright.texts.errors import error_text

SHOWN = 20
"""How many faults an error tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault: its code in the catalogue, without `workflow_fault_`, and its place (`nodes.ask.prompt`, `edges.3`)."""

    code: str
    place: str
    params: dict[str, Parameter] = field(default_factory=dict[str, Parameter])

    def words(self, language: Language) -> str:
        """Say what is wrong, and where."""
        return error_text(f"workflow_fault_{self.code}", language, {"place": self.place, **self.params})


def invalid(faults: Sequence[Fault], language: Language = "en") -> WorkflowInvalid:
    """Return the error that tells all faults."""
    told = " ".join(f"({number}) {fault.words(language)}" for number, fault in enumerate(faults[:SHOWN], 1))
    return WorkflowInvalid(message=told, count=len(faults))
