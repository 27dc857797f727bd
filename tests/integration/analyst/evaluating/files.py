"""What the written code and the execution in the process give of a file, for a handful of plans over its columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.integration.analyst.conftest import Interpreter
from tests.integration.analyst.sql.agreement import plain, same

from tablewright.analyst.evaluating.memory import StoredTable, evaluate_all
from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Fill,
    Func,
    Measure,
    Named,
    Part,
    Plan,
    Project,
    Relation,
    Sort,
    Source,
    Top,
)
from tablewright.analyst.writing import write_code
from tablewright.data.files.profiler import profile_file
from tablewright.data.files.stored_columns import stored_columns
from tablewright.domain.dataset import DatasetFacts


def plans(facts: DatasetFacts) -> Iterator[Relation]:
    """Yield plans that use every column in some way."""
    source = Source(dataset_id=facts.id)
    names = [column.name for column in facts.columns]
    yield Project(source=source, columns=tuple(Named(name=name, of=Col(name=name)) for name in names))
    yield Sort(source=source, keys=tuple((name, place % 2 == 0) for place, name in enumerate(names)))
    for column in facts.columns:
        of = Col(name=column.name)
        kind = column.clean.kind if column.clean is not None else column.kind
        counts = (
            Measure(name="rows", function="count"),
            Measure(name="first one", function="first", of=Col(name=names[0])),
        )
        yield Aggregate(source=source, groups=(Named(name=column.name, of=of),), measures=counts)
        if kind in {"number", "integer", "text"}:
            functions = ("sum", "max", "mean", "missing", "count_distinct")
            measures = tuple(Measure(name=name, function=name, of=of) for name in functions)  # type: ignore[arg-type]
            yield Aggregate(source=source, groups=(), measures=measures[3:] if kind == "text" else measures)
            yield Top(source=source, by=column.name, count=2)
        if kind in {"date", "datetime"}:
            for unit in ("month", "weekday", "year"):
                key = Named(name=unit, of=Bucket(of=of, unit=unit))
                yield Aggregate(source=source, groups=(key,), measures=(counts[0],))
        if kind == "text":
            length = Named(name="length", of=Func(name="length", of=of))
            yield Project(source=source, columns=(length,), distinct=True)
            yield Fill(source=source, column=column.name, how="forward")


def differences(path: Path, interpreter: Interpreter) -> list[str]:
    """Return where the two give something else for a table of a file."""
    found: list[str] = []
    for dataset in profile_file(path, path.name).datasets:
        facts = replace(dataset.facts, path=str(path))
        table = StoredTable(columns=stored_columns(path, facts))
        made = [Plan(parts=(Part(relation=relation),)) for relation in plans(facts)]
        for plan, told in zip(made, evaluate_all(made, {facts.id: table}, [facts], most_rows=10_000), strict=True):
            code = write_code(plan, [facts], "en")
            said = interpreter.attempt(code)
            if (said["error"] is None) != (told.failure is None):
                found.append(f"{code}\n{said['error']}\n{told}")
            elif told.failure is None:
                wanted: list[list[Any]] = [list(map(plain, row)) for row in said["result"]["rows"]]
                if not same(wanted, [list(map(plain, row)) for row in told.tables[0].rows]):
                    found.append(f"{code}\n{wanted[:20]}\n{told.tables[0].rows[:20]}")
    return found
