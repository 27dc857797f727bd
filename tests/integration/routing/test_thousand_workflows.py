"""Routing among 1,000 published workflows, on the messages that may be looked at; the held third is not."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from benchmarks.routing import candidates
from benchmarks.routing_data import labelled

from tablewright.routing.workflows.index import WorkflowIndex

QUESTIONS = Path(__file__).resolve().parents[2] / "suites" / "samples" / "suite.jsonl"


@pytest.fixture(scope="module")
def index() -> WorkflowIndex:
    return WorkflowIndex(candidates())


def test_most_messages_are_routed_right_and_very_few_wrongly(index: WorkflowIndex) -> None:
    messages = [*labelled("train"), *labelled("tune")]
    chosen = [(one.workflow, index.match(one.text).workflow_id) for one in messages]
    assert sum(wanted == found for wanted, found in chosen) >= 0.8 * len(messages)
    assert sum(found is not None and wanted != found for wanted, found in chosen) <= 0.03 * len(messages)


def test_questions_about_tables_start_no_workflow(index: WorkflowIndex) -> None:
    prompts = [json.loads(line)["prompt"] for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    assert [prompt for prompt in prompts if index.match(prompt, tables=True).workflow_id] == []


def test_a_choice_takes_a_few_milliseconds_of_the_processor(index: WorkflowIndex) -> None:
    texts = [one.text for one in labelled("tune")]
    began = time.thread_time()
    for text in texts:
        index.match(text)
    assert (time.thread_time() - began) / len(texts) < 0.02
