"""Statistical procedures as code. Their options and result columns are documented at `plan.Procedure`."""

from __future__ import annotations

from collections.abc import Callable

from tablewright.analyst.plan import Procedure
from tablewright.analyst.writing.columns import Frame
from tablewright.analyst.writing.procedures.association import (
    chi_square,
    correlation,
    correlation_matrix,
    correlation_pairs,
    correlations,
)
from tablewright.analyst.writing.procedures.description import columns_of, describe, duplicates, missing
from tablewright.analyst.writing.procedures.hypotheses import anova, normality, two_samples
from tablewright.analyst.writing.procedures.neighbours import neighbour
from tablewright.analyst.writing.procedures.outliers import outlier_bounds, outliers
from tablewright.analyst.writing.procedures.regression import regression
from tablewright.analyst.writing.procedures.runs import longest_run
from tablewright.analyst.writing.script import Held, Script

PROCEDURES: dict[str, Callable[[Script, Procedure, Frame], Held]] = {
    "describe": describe,
    "columns": columns_of,
    "missing": missing,
    "duplicates": duplicates,
    "correlation": correlation,
    "correlations": correlations,
    "correlation_matrix": correlation_matrix,
    "correlation_pairs": correlation_pairs,
    "outliers": outliers,
    "outlier_bounds": outlier_bounds,
    "normality": normality,
    "t_test": two_samples,
    "mann_whitney": two_samples,
    "anova": anova,
    "kruskal": anova,
    "levene": anova,
    "bartlett": anova,
    "chi_square": chi_square,
    "regression": regression,
    "neighbour": neighbour,
    "longest_run": longest_run,
}


def procedure(script: Script, relation: Procedure, below: Held) -> Held:
    """Write a procedure over its source. Raises KeyError for an unknown name, which is a bug in the plan."""
    subjects = relation.columns[:1] if relation.name in {"correlations", "regression"} else relation.columns
    script.step(f"step.procedure.{relation.name}", columns=script.words.joined(subjects))
    return PROCEDURES[relation.name](script, relation, script.as_frame(below))
