"""Measures how much running code while it is being written saves, by streaming a scripted answer at a fixed rate.

python benchmarks/streaming.py [--sandbox simulated|embedded] [--rate TOKENS_PER_S] [--costs S,S,…] [--repeat N]

The bound is the critical path: each segment runs as soon as it is written and the one before has ended. Prints one JSON
line per mode: seconds to the first step announced, milliseconds from an annotation's end to its announcement, seconds
to the first output and to the end of the last step, and the bound.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import itertools
import json
import re
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.agent.code.rules import LoopRules
from tablewright.agent.stream.writer import Mode
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import OutputText, StepAnnounced, StepFinished
from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.domain.message import Message, TextPart
from tablewright.models.base import ModelRequest, StreamEnded, StreamPart, TextPiece
from tablewright.sandbox.base import LeaseScope, Sandbox, TextOutput
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.memory import MemorySandbox, Pause, Scripted
from tablewright.sandbox.process import PRELOADED_LEAST

MODES: tuple[Mode, ...] = ("whole_block", "announce", "pre_execute")
LINES = 8
"""Lines of code per segment; each is about six tokens."""
BEGIN = "<|begin_code|>\n"
TOKEN = re.compile(r"\s*\S{1,6}|\s+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Seconds from the question; `delay_ms` is the median from the end of an annotation's line to its announcement."""

    announced_s: float
    delay_ms: float
    output_s: float
    ended_s: float


def simulated(code: str) -> Sequence[Scripted]:
    """Simulate code that takes as long as it says it sleeps."""
    return Pause(seconds=float(code.partition("sleep(")[2].partition(")")[0])), TextOutput(text="done\n")


class NoArtifacts:
    """An artifact sink that keeps nothing."""

    async def put(self, name: str, mime: str, content: bytes | AsyncIterator[bytes]) -> ArtifactRef:
        del content
        return ArtifactRef(id=name, name=name, mime=mime, size_bytes=0)


def segments(costs: Sequence[float]) -> list[str]:
    filler = "\n".join(f"value_{line} = [{line}, {line} + 1, {line} + 2]" for line in range(LINES))
    return [
        f"# @step: Compute part {number}\n{filler}\nimport time; time.sleep({cost})\nprint('done')\n"
        for number, cost in enumerate(costs, 1)
    ]


def written(costs: Sequence[float]) -> str:
    return "".join((BEGIN, *segments(costs), "<|end_code|>"))


class PacedModel:
    """Writes the segments at a fixed rate on the first request, and text on the next."""

    name = "paced:model"

    def __init__(self, costs: Sequence[float], rate: float) -> None:
        self._turns = [TOKEN.findall(written(costs)), ["Done."]]
        self._rate = rate
        self.annotated: list[float] = []

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        del request
        tokens = self._turns.pop(0)
        start = time.perf_counter()
        for count, token in enumerate(tokens, 1):
            await asyncio.sleep(max(0.0, start + count / self._rate - time.perf_counter()))
            if "\n" in token and re.search(r"# @step:.*\n\s*\S*$", "".join(tokens[:count])):
                self.annotated.append(time.perf_counter())
            yield TextPiece(text=token)
        parts = (TextPart(text="".join(tokens), origin="output"),)
        yield StreamEnded(message=Message(role="assistant", parts=parts))


def bound_s(costs: Sequence[float], rate: float) -> float:
    """Return the time at which the last step would end if only writing and running took time."""
    tokens = TOKEN.findall(written(costs))
    arrived = list(itertools.accumulate(len(token) for token in tokens))
    length, ended = len(BEGIN), 0.0
    for segment, cost in zip(segments(costs), costs, strict=True):
        length += len(segment.rstrip())
        whole_s = (bisect.bisect_left(arrived, length) + 1) / rate
        length += len(segment) - len(segment.rstrip())
        ended = max(ended, whole_s) + cost
    return ended


async def timed(mode: Mode, sandbox: Sandbox, costs: Sequence[float], rate: float) -> Timing:
    model = PacedModel(costs, rate)
    agent = CodeAnalyst(LoopRules(mode=mode))
    given = AgentInput(run_id="benchmark", question="?", language="en", datasets=(), inputs=())
    context = AgentContext(model=model, sandbox=sandbox, artifacts=NoArtifacts(), clock=SystemClock(), ids=Uuid7Ids())
    seen: dict[type, list[float]] = {StepAnnounced: [], OutputText: [], StepFinished: []}
    start = time.perf_counter()
    async for item in agent.run(given, context):
        if type(item) in seen:
            seen[type(item)].append(time.perf_counter() - start)
    delays = [told + start - at for at, told in zip(model.annotated, seen[StepAnnounced], strict=True)]
    return Timing(
        announced_s=seen[StepAnnounced][0],
        delay_ms=statistics.median(delays) * 1000,
        output_s=seen[OutputText][0],
        ended_s=seen[StepFinished][-1],
    )


def medians(timings: Sequence[Timing]) -> Timing:
    return Timing(
        announced_s=round(statistics.median(each.announced_s for each in timings), 3),
        delay_ms=round(statistics.median(each.delay_ms for each in timings), 3),
        output_s=round(statistics.median(each.output_s for each in timings), 3),
        ended_s=round(statistics.median(each.ended_s for each in timings), 3),
    )


async def main() -> None:
    arguments = read_arguments()
    costs = [float(cost) for cost in arguments.costs.split(",")]
    sandbox: Sandbox = MemorySandbox(simulated)
    if arguments.sandbox == "embedded":
        sandbox = EmbeddedSandbox(EmbeddedConfig(preload=PRELOADED_LEAST))
    await sandbox.start()
    try:
        await (await sandbox.acquire(LeaseScope(run_id="warm"))).release()
        bound = bound_s(costs, arguments.rate)
        for mode in MODES:
            found = medians([await timed(mode, sandbox, costs, arguments.rate) for _ in range(arguments.repeat)])
            line = {
                "mode": mode,
                "sandbox": arguments.sandbox,
                "announced_s": found.announced_s,
                "delay_ms": found.delay_ms,
                "output_s": found.output_s,
                "ended_s": found.ended_s,
                "bound_s": round(bound, 3),
                "over_bound": round(found.ended_s / bound, 3),
            }
            print(json.dumps(line), flush=True)
    finally:
        await sandbox.stop()


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time the three modes of running while writing.")
    parser.add_argument("--sandbox", choices=("simulated", "embedded"), default="simulated")
    parser.add_argument("--rate", type=float, default=100.0, help="tokens a second")
    parser.add_argument("--costs", default="0.4,0.6,0.3,0.5", help="seconds each segment takes")
    parser.add_argument("--repeat", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    asyncio.run(main())
