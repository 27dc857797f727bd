"""How far a reading can be trusted: done, done with a word of doubt, or declined."""

from __future__ import annotations

from typing import Literal

from tablewright.analyst.operating.instructing.reader import Reading, Step
from tablewright.domain.operations.decoding import decode

COVERED = frozenset({
    "sort_rows", "delete_columns", "delete_rows", "set_values", "rename_sheet", "copy_sheet", "highlight_cells",
    "set_fill", "set_font", "hide", "freeze_panes", "set_column_width", "filter_rows", "auto_filter",
    "remove_duplicates", "set_number_format", "conditional_format", "set_data_validation", "run_python", "add_column",
    "lookup_join", "set_formula", "split_column", "join_columns", "fill_missing", "find_replace", "summarize",
    "create_chart",
})  # fmt: skip
"""Operations that this grammar reads: where it has a reading it does not trust, nothing else is trusted either."""
Trust = Literal["sure", "unsure", "declined"]
_SURE_LEFT, _SURE_COST = 0.4, 1.6
_LEFT, _COST = 1.25, 2.0


def trust_of(reading: Reading | None) -> Trust:
    """Return the trust in the step that is understood worst. An unread negation, comparison, number or period declines,
    and so does anything unsure that would destroy something."""
    if reading is None or not reading.ops:
        return "declined"
    grades = {_of(step) for step in reading.steps}
    return "declined" if "declined" in grades else "unsure" if "unsure" in grades else "sure"


def _of(step: Step) -> Trust:
    destroys = False
    for op in step.ops:
        operation, _ = decode(op.function, op.parameters)
        if operation is None:
            return "declined"
        destroys = destroys or operation.destructive
    if step.vetoed or step.left > _LEFT or step.cost > _COST:
        return "declined"
    if step.left > _SURE_LEFT or step.cost > _SURE_COST:
        return "declined" if destroys else "unsure"
    return "sure"
