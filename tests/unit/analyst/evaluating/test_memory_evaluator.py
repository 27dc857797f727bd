"""The evaluator over tables that are held behaves as every other."""

from __future__ import annotations

import pytest

from tablewright.analyst.evaluating.base import PlanEvaluator
from tablewright.analyst.evaluating.conformance import EXAMPLE, PlanEvaluatorConformance
from tablewright.analyst.evaluating.memory import MemoryPlanEvaluator, StoredTable


class TestMemoryPlanEvaluator(PlanEvaluatorConformance):
    @pytest.fixture
    def evaluator(self) -> PlanEvaluator:
        return MemoryPlanEvaluator({"sales": StoredTable(columns=EXAMPLE)})
