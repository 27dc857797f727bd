"""What execution says of a reading: results that are empty, constant or as long as the table are seldom asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.grammar.weights import weighed, weights
from tablewright.analyst.plan_walk import sources
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Table

_MANY = 30
_FEW = 5


def executed_features(
    reading: GrammarReading, results: Sequence[Table] | None, facts: Sequence[DatasetFacts]
) -> Mapping[str, float]:
    """Return what the results of a reading say of it; None means that it failed."""
    if not results:
        return {"ran:failed": 1.0}
    result = results[-1]
    if not result.rows:
        return {"ran:empty": 1.0}
    cells = [cell for row in result.rows for cell in row]
    rows = {table.id: table.rows for table in facts}
    longest = max((rows.get(name, 0) for name in sources(reading.plan)), default=0)
    single = result.total_rows == 1 and len(result.columns) == 1
    found = {
        "ran:one_cell": float(single),
        "ran:one_row": float(result.total_rows == 1),
        "ran:many": float(result.total_rows > _MANY),
        "ran:few": float(1 < result.total_rows <= _FEW),
        "ran:all_missing": float(all(cell is None for cell in cells)),
        "ran:some_missing": float(any(cell is None for cell in cells)),
        "ran:zero": float(single and cells[0] == 0),
        "ran:one": float(single and cells[0] == 1),
        "ran:all_rows": float(result.total_rows == longest and longest > 1),
        "ran:count_all": float(single and cells[0] == longest and longest > 1),
        "ran:hundred": float(single and cells[0] == 100),
        "ran:constant": float(len(result.rows) > 1 and len({row[-1] for row in result.rows}) == 1),
        "ran:ones": float(len(result.rows) > 1 and all(row[-1] == 1 for row in result.rows)),
        "ran:repeats": float(len(set(result.rows)) < len(result.rows)),
    }
    return {name: value for name, value in (found | _crossed(reading, result)).items() if value}


def _crossed(reading: GrammarReading, result: Table) -> dict[str, float]:
    """Return the size of the result beside the question word and the kind of answer."""
    size = "one" if result.total_rows == 1 else "few" if result.total_rows <= _FEW else "many"
    found: dict[str, float] = {}
    for name in reading.features:
        kind, _, rest = name.partition(":")
        if kind == "frame":
            found[f"ran:{rest}:{size}"] = 1.0
        elif kind == "asked":
            found[f"ran:asked:{rest.partition(':')[0]}:{size}"] = 1.0
    return found


def rescored(reading: GrammarReading, executed: Mapping[str, float]) -> float:
    """Return the score of a reading once it was executed."""
    return reading.score + weighed(executed.items(), weights())
