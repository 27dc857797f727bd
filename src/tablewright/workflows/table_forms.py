"""Whether the files of a run have the form that the code of a node was written for."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.workflow.forms import TableForm, form_of
from tablewright.errors import NodeFailed
from tablewright.sandbox.base import SHARED_FOLDER, Input


def check_forms(
    made_for: Sequence[TableForm], reads: Sequence[str], inputs: Sequence[Input], datasets: Sequence[DatasetFacts]
) -> None:
    """Raise `NodeFailed` naming what differs, if the run's first files, which code calls `reads`, have other tables."""
    names = {name: given.name for name, given in zip(reads, inputs, strict=False)}
    for form in made_for:
        name = names.get(form.file, form.file)
        tables = [facts for facts in datasets if facts.path == f"{SHARED_FOLDER}/{name}"]
        found = [form_of(facts, form.file) for facts in tables if facts.read.sheet == form.read.sheet]
        if form not in found:
            _refuse(form, found, name)


def _refuse(form: TableForm, found: Sequence[TableForm], name: str) -> None:
    if not found:
        raise NodeFailed("workflow_table_missing", name=name, sheet=form.read.sheet or "")
    here, wanted = found[0].columns, form.columns
    if here == wanted:
        raise NodeFailed("workflow_table_read", name=name)
    columns = [one.name for one in wanted if one not in here] + [one.name for one in here if one not in wanted]
    raise NodeFailed("workflow_table_columns", name=name, columns=", ".join(dict.fromkeys(columns))[:300])
