"""Measures routing among 1,000 published workflows: what is chosen for labelled messages, how fast, with what memory.

    nice -n 19 .venv/bin/python -m benchmarks.routing [--cases FOLDER] [--suites FOLDER] [--errors]

The workflows are those of a set and generated ones (`routing_crowd`). Of the messages: the share that is routed right
(to its workflow; to none, where none fits), wrongly (to another one, or to one where none fits), and not at all though
one fits; and both over the threshold. The sets of `routing_cases` have been learned from, so that their figures say
little; a set of other workflows (`workflows.jsonl`, `utterances.jsonl`) is named with `--cases`. With `--suites`, the
questions of each suite in the folder, which are for no workflow, and how many would start one in a conversation with
tables. Latency is that of one `match` without a model: by the clock, and in processor time of its thread, which other
work on the machine does not lengthen.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.routing_data import LabelledSet, labelled_set, labelled_sets
from benchmarks.routing_examples import LARGEST, candidates
from benchmarks.routing_training import Guess, line

from tablewright.routing.workflows.candidates import Candidate
from tablewright.routing.workflows.index import WorkflowIndex

REPEATS = 5
OUTCOMES = ("right", "wrong", "abstained")


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def accuracy(index: WorkflowIndex, given: LabelledSet, *, errors: bool) -> None:
    """Print the shares of one set, in all and by kind of message, and over the threshold."""
    found: Counter[tuple[str, str]] = Counter()
    guesses: list[Guess] = []
    for one in given.utterances:
        decision = index.match(one.text)
        chosen, best = decision.workflow_id, max(decision.shortlist, key=lambda entry: entry.score, default=None)
        outcome = "right" if chosen == one.workflow else "abstained" if chosen is None else "wrong"
        found[outcome, one.kind] += 1
        workflow, chance = (best.id, best.score) if best else (None, 0.0)
        guesses.append(Guess(set_name=given.name, said=one, workflow=workflow, chance=chance))
        if errors and outcome != "right":
            print(f"  {outcome}: {one.text} | {one.workflow} | {[(e.id, e.score) for e in decision.shortlist[:3]]}")
    total = {outcome: sum(found[key] for key in found if key[0] == outcome) for outcome in OUTCOMES}
    size = len(given.utterances)
    print(f"{given.name}: {size} messages; " + ", ".join(f"{key} {share(n, size)}" for key, n in total.items()))
    for kind in sorted({kind for _, kind in found}):
        print(f"  {kind}: " + ", ".join(f"{outcome} {found[outcome, kind]}" for outcome in OUTCOMES))
    for step in range(4, 19):
        print(f"  threshold {step / 20:.2f}: {line(guesses, step / 20)}")


def latency(index: WorkflowIndex, texts: Sequence[str]) -> None:
    """Print the median and the 99th percentile of one match."""
    clock: list[float] = []
    processor: list[float] = []
    for _ in range(REPEATS):
        for text in texts:
            began, worked = time.perf_counter(), time.thread_time()
            index.match(text)
            clock.append((time.perf_counter() - began) * 1000)
            processor.append((time.thread_time() - worked) * 1000)
    for name, values in (("clock", sorted(clock)), ("processor", sorted(processor))):
        p50, p99 = values[len(values) // 2], values[int(len(values) * 0.99)]
        print(f"match, {name}: p50 {p50:.2f} ms, p99 {p99:.2f} ms of {len(values)}")


def built(workflows: Sequence[Candidate]) -> WorkflowIndex:
    """Print how long an index takes, and what it holds of Python's memory."""
    WorkflowIndex(workflows[:10])
    began, worked = time.perf_counter(), time.process_time()
    index = WorkflowIndex(workflows)
    took, work = time.perf_counter() - began, time.process_time() - worked
    print(f"index of {len(workflows)}: {took:.2f} s, processor {work:.2f} s")
    began, worked = time.perf_counter(), time.process_time()
    WorkflowIndex(workflows[1:], before=index)
    print(f"one less, from it: {time.perf_counter() - began:.2f} s, processor {time.process_time() - worked:.2f} s")
    gc.collect()
    tracemalloc.start()
    kept = WorkflowIndex(workflows)
    print(f"memory: {tracemalloc.get_traced_memory()[0] / 1e6:.0f} MB of Python objects")
    tracemalloc.stop()
    return kept


def suites(index: WorkflowIndex, folder: Path) -> None:
    """Print how many questions of suites would start a workflow."""
    total = routed = 0
    for suite in sorted(folder.glob("*/suite.jsonl")):
        prompts = [json.loads(line)["prompt"] for line in suite.read_text(encoding="utf-8").splitlines()]
        count = sum(index.match(prompt, tables=True).workflow_id is not None for prompt in prompts)
        total, routed = total + len(prompts), routed + count
        print(f"  {suite.parent.name}: {count} of {len(prompts)}")
    print(f"questions of suites that would start a workflow: {routed} of {total}, {share(routed, total)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, help="a folder with another set of workflows and messages")
    parser.add_argument("--errors", action="store_true", help="print what is not routed right")
    parser.add_argument("--suites", type=Path, help="a folder of suites of questions")
    arguments = parser.parse_args()
    sets = (labelled_set(arguments.cases),) if arguments.cases else labelled_sets()
    for given in sets:
        index = built(candidates(given.workflows, LARGEST))
        accuracy(index, given, errors=arguments.errors)
        latency(index, [one.text for one in given.utterances])
        if arguments.suites:
            suites(index, arguments.suites)


if __name__ == "__main__":
    main()
