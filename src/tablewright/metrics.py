"""What Prometheus is told: counted where it happens, and read from the parts when it asks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

REQUEST_S = (0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
CALL_S = (0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """A present state: values by the values of its labels, or a single value under the empty tuple."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    values: Mapping[tuple[str, ...], float] = field(default_factory=dict[tuple[str, ...], float])


class Metrics:
    """The metrics of one service."""

    media_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.runs = Counter("tablewright_runs", "Runs that have ended.", ("outcome",), registry=registry)
        self.queue_wait = Histogram(
            "tablewright_run_wait_seconds", "Time from a question to the start of its agent.", registry=registry
        )
        self.steps = Counter("tablewright_steps", "Steps of code that have ended.", ("status",), registry=registry)
        self.tokens = Counter(
            "tablewright_model_tokens", "Tokens of model calls.", ("model", "direction"), registry=registry
        )
        self.calls = Counter("tablewright_model_calls", "Model calls, retries included.", ("model",), registry=registry)
        self.call_errors = Counter(
            "tablewright_model_errors", "Model calls that failed.", ("model", "code"), registry=registry
        )
        self.call_time = Histogram(
            "tablewright_model_call_seconds", "Duration of model calls.", ("model",), buckets=CALL_S, registry=registry
        )
        self.leases = Counter("tablewright_sandbox_leases", "Sessions asked for.", ("result",), registry=registry)
        self.file_reads = Counter(
            "tablewright_file_reads", "Files that were opened by a reader.", ("operation", "result"), registry=registry
        )
        self.requests = Counter(
            "tablewright_http_requests", "HTTP requests.", ("method", "route", "status"), registry=registry
        )
        self.request_time = Histogram(
            "tablewright_http_request_seconds",
            "Time from a request to the beginning of its answer.",
            ("method", "route"),
            buckets=REQUEST_S,
            registry=registry,
        )

    def watch(self, gauges: Callable[[], Iterable[Gauge]]) -> None:
        """Read `gauges` whenever the metrics are asked for."""
        self._registry.register(_Gauges(gauges))

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    @contextmanager
    def reading(self, operation: str) -> Iterator[None]:
        """Count one opening of a file."""
        result = "error"
        try:
            yield
            result = "ok"
        finally:
            self.file_reads.labels(operation, result).inc()

    @contextmanager
    def calling(self, model: str) -> Iterator[Callable[[str], None]]:
        """Count and time one model call; the function yielded takes the code of an error."""
        began = time.perf_counter()
        self.calls.labels(model).inc()
        try:
            yield lambda code: self.call_errors.labels(model, code).inc()
        finally:
            self.call_time.labels(model).observe(time.perf_counter() - began)


class _Gauges(Collector):
    def __init__(self, gauges: Callable[[], Iterable[Gauge]]) -> None:
        self._gauges = gauges

    def describe(self) -> Iterable[Metric]:
        """Return nothing: registering must not ask the parts yet."""
        return ()

    def collect(self) -> Iterable[Metric]:
        for gauge in self._gauges():
            family = GaugeMetricFamily(gauge.name, gauge.help, labels=gauge.labels)
            for values, number in gauge.values.items():
                family.add_metric(values, number)
            yield family
