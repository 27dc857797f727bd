"""All faults of a definition."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.domain.workflow import Workflow
from tablewright.workflows.faults import Fault
from tablewright.workflows.validate.bindings import binding_faults
from tablewright.workflows.validate.names import Names, naming_faults
from tablewright.workflows.validate.nesting import nesting_faults
from tablewright.workflows.validate.settings import settings_faults
from tablewright.workflows.validate.shape import shape_faults

Known = Callable[[str], Workflow | None]
NOTHING_KNOWN = Names()


def faults_of(workflow: Workflow, known: Known = lambda _: None, names: Names = NOTHING_KNOWN) -> tuple[Fault, ...]:
    """Return all faults of a definition; `known` returns other workflows by their names, `names` are those of all else.

    Expressions are looked at only where the graphs are sound, because that decides what they may read.
    """
    shape = tuple(shape_faults(workflow))
    sound = () if shape else tuple(binding_faults(workflow))
    outside = (*nesting_faults(workflow, known), *naming_faults(workflow, names))
    return (*shape, *settings_faults(workflow), *sound, *outside)
