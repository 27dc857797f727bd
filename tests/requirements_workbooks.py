"""What the page about workbooks promises, each with the acceptance test that shows it."""

from __future__ import annotations

EDIT_WORKBOOKS = {
    "edit-shows-plan-and-writes-beside": (
        "`edit` shows its plan, executes it and writes the result beside the workbook."
    ),
    "edit-asks-before-it-changes": "Without a person and without --yes nothing is changed; the plan can be kept.",
    "edit-never-overwrites-unasked": (
        "The workbook itself is changed only where --out names it; nothing else is overwritten."
    ),
    "edit-person-decides": "A person at the terminal agrees, declines, edits the plan or asks for another.",
    "page-plan-is-edited-and-agreed-to": (
        "On the page a plan is reordered, cut and agreed to, and what it did is undone and redone."
    ),
    "plan-file-covers-the-whole-table": "A saved plan covers the whole table, whether it is longer or shorter.",
    "plan-file-applied-is-a-run": (
        "A saved plan that is applied is a run of the workbook's conversation, as if it had been asked for there."
    ),
    "plan-file-other-shape-refused": "A saved plan is refused by a workbook of another shape, naming what differs.",
}
