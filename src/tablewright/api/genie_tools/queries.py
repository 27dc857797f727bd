"""The frames of the service that writes statements: thoughts, the statements, and the end. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tablewright.agent.query_writer import COLUMNS
from tablewright.api.genie_tools.folds import Frame, ToolFold
from tablewright.domain.answer import Answer
from tablewright.domain.events import Event, ThinkingDelta

FAILED = 500


@dataclass(slots=True, kw_only=True)
class QueryFold(ToolFold):
    """Tells the thoughts, each time all of them; then the statements, and that they were all."""

    _thoughts: list[str] = field(default_factory=list[str])

    def meanwhile(self, event: Event) -> Iterator[Frame]:
        if isinstance(event.body, ThinkingDelta):
            self._thoughts.append(event.body.text)
            yield query_frame(self.request_id, "nl2sql_think", think="".join(self._thoughts))

    def before_last(self) -> Iterator[Frame]:
        yield query_frame(self.request_id, "finished_stream")
        yield self.statements()

    def statements(self) -> Frame:
        """Return the frame with the statements, or with the reason why there are none."""
        written = _written(self.answer)
        if not written:
            return query_frame(self.request_id, "data", problem=self.words)
        return query_frame(self.request_id, "data", data=[{"query": query, "nl2sql": sql} for query, sql in written])

    def last(self, words: str, files: list[Frame]) -> Frame:  # noqa: ARG002
        return query_frame(self.request_id, "finished")


@dataclass(slots=True, kw_only=True)
class FormulaFold(ToolFold):
    """The service that writes a formula, which tells only its result: where several may be meant, that and which."""

    query: str = ""

    def meanwhile(self, event: Event) -> Iterator[Frame]:  # noqa: ARG002
        return iter(())

    def last(self, words: str, files: list[Frame]) -> Frame:  # noqa: ARG002
        written = _written(self.answer)
        formulas = {formula for _, formula in written}
        told = {"expression": "", "request_id": self.request_id, "query": self.query}
        if len(formulas) != 1:
            meant = "; ".join(f"{query}: {formula}" for query, formula in written)
            return {"code": FAILED, **told, "err_msg": meant or words}
        return {"code": 200, **told, "expression": formulas.pop()}


def query_frame(
    request_id: str, status: str, *, data: list[Frame] | None = None, think: str = "", problem: str = ""
) -> Frame:
    """Return a frame of this service."""
    return {
        "code": FAILED if problem else 200,
        "data": data or [],
        "request_id": request_id,
        "status": status,
        "nl2sql_think": think,
        "err_msg": problem,
    }


def _written(answer: Answer | None) -> list[tuple[str, str]]:
    """Return the statements of an answer with their questions."""
    result = None if answer is None else answer.result
    if result is None or result.columns != COLUMNS:
        return []
    return [(str(query), str(sql)) for query, sql in result.rows]
