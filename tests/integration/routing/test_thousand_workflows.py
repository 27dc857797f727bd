"""Routing among 1,000 published workflows, on messages that were learned from: what was learned fits the code."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from benchmarks.routing_data import LabelledSet, labelled_sets
from benchmarks.routing_examples import LARGEST, candidates

from tablewright.routing.workflows.index import WorkflowIndex

QUESTIONS = Path(__file__).resolve().parents[2] / "suites" / "samples" / "suite.jsonl"
SETS = labelled_sets()


@pytest.fixture(scope="module", params=SETS, ids=[one.name for one in SETS])
def given(request: pytest.FixtureRequest) -> LabelledSet:
    found = request.param
    assert isinstance(found, LabelledSet)
    return found


@pytest.fixture(scope="module")
def index(given: LabelledSet) -> WorkflowIndex:
    return WorkflowIndex(candidates(given.workflows, LARGEST))


def test_most_messages_are_routed_right_and_very_few_wrongly(given: LabelledSet, index: WorkflowIndex) -> None:
    chosen = [(one.workflow, index.match(one.text).workflow_id) for one in given.utterances]
    assert sum(wanted == found for wanted, found in chosen) >= 0.6 * len(chosen)
    assert sum(found is not None and wanted != found for wanted, found in chosen) <= 0.03 * len(chosen)


def test_questions_about_tables_start_no_workflow(index: WorkflowIndex) -> None:
    prompts = [json.loads(line)["prompt"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    assert [prompt for prompt in prompts if index.match(prompt, tables=True).workflow_id] == []


def test_a_choice_takes_a_few_milliseconds_of_the_processor(given: LabelledSet, index: WorkflowIndex) -> None:
    texts = [one.text for one in given.utterances]
    began = time.thread_time()
    for text in texts:
        index.match(text)
    assert (time.thread_time() - began) / len(texts) < 0.02
