"""How a run that gave no report is told: its failure as an error of ours, with a status."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright import errors
from tablewright.api.errors import status_of
from tablewright.domain.run import RunFailure

STATUSES: dict[str, int] = {
    errors.RunLimit.code: 422,
    errors.StepsFailed.code: 422,
    errors.StepExhausted.code: 422,
    errors.OwnerLost.code: 503,
    errors.SandboxLost.code: 503,
}
"""Statuses of what ends runs; all other errors have that of the request that raises them."""
CANCELLED = "run_cancelled"
ENDED = {"cancelled": CANCELLED, "superseded": CANCELLED}


def failure_of(outcome: str | None, failure: RunFailure | None) -> RunFailure:
    """Return why a run that ended with `outcome` has no report."""
    if failure is not None:
        return failure
    return RunFailure(code=ENDED.get(outcome or "", errors.TablewrightError.code), params={})


def failure_status(failure: RunFailure) -> int:
    """Return the HTTP status of a failed run."""
    if failure.code == CANCELLED:
        return 409
    if failure.code in STATUSES:
        return STATUSES[failure.code]
    kind = next((kind for kind in _tree(errors.TablewrightError) if kind.code == failure.code), None)
    return 500 if kind is None else status_of(kind())


def _tree(kind: type[errors.TablewrightError]) -> Iterator[type[errors.TablewrightError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from _tree(below)
