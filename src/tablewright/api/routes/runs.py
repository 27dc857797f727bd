"""Runs: looked at, watched, answered, stopped."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import EVENT_STREAM, faults
from tablewright.api.schemas.native import Decision, FailureOut, PlanEditIn, RequestOut, RunOut
from tablewright.api.sse import last_seen, stream
from tablewright.domain.run import RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.domain.task_plan import PlanEdit, TaskPlan
from tablewright.service.app import App
from tablewright.texts.errors import error_text

router = APIRouter(prefix="/runs", tags=["runs"])


async def _shown(parts: App, caller: Scope, run: Run) -> RunOut:
    failure = run.failure
    words = None if failure is None else error_text(failure.code, run.language, failure.params)
    requests = await parts.runs.requests(caller, run.id)
    return RunOut(
        **{name: getattr(run, name) for name in RunOut.model_fields if name not in {"failure", "requests"}},
        failure=None if failure is None or words is None else FailureOut(code=failure.code, message=words),
        requests=[RequestOut.model_validate(request) for request in requests],
    )


@router.get("/{run_id}", responses=faults(404))
async def get(parts: Parts, caller: Caller, run_id: str) -> RunOut:
    """Return a run as it stands, with its answer once it has one."""
    return await _shown(parts, caller, await parts.runs.get(caller, run_id))


@router.get("/{run_id}/events", response_class=Response, responses={200: EVENT_STREAM, 204: {}, **faults(404, 422)})
async def events(
    parts: Parts,
    caller: Caller,
    run_id: str,
    after: Annotated[int | None, Query(ge=0, le=10**15)] = None,
    last_event_id: Annotated[str | None, Header(description="The seq last seen; wins over `after`.")] = None,
) -> Response:
    """Send the run's events from `seq > after`: those that were, then those to come, until `run.finished`.

    204 when the run has ended and nothing follows."""
    seen = last_seen(last_event_id, after)
    run = await parts.runs.get(caller, run_id)
    if run.state == "finished" and seen >= run.last_seq:
        return Response(status_code=204)
    return stream(parts.runs.follow(caller, run_id, after=seen))


@router.post("/{run_id}/cancel", responses=faults(404))
async def cancel(parts: Parts, caller: Caller, run_id: str) -> RunOut:
    """Stop the run: the model, the code, the tools. One that has ended stays as it is. Answers within
    about a second: while the end is still to come, `cancelling` is true."""
    return await _shown(parts, caller, await parts.runs.cancel(caller, run_id))


@router.get("/{run_id}/plan", responses=faults(404))
async def plan(parts: Parts, caller: Caller, run_id: str) -> TaskPlan:
    """Return the plan of tasks that the run carries out, as it is now."""
    return await parts.task_plans.of(caller, run_id)


@router.post("/{run_id}/plan", responses=faults(404, 409, 422))
async def edit_plan(parts: Parts, caller: Caller, run_id: str, edit: PlanEditIn) -> TaskPlan:
    """Add, drop or reword a step that has not begun, while the others are carried out."""
    given = PlanEdit(id="", action=edit.action, text=edit.text, step_id=edit.step_id, before=edit.before)
    return await parts.task_plans.edit(caller, run_id, given)


@router.post("/{run_id}/requests/{request_id}", responses=faults(404, 409, 422))
async def answer(parts: Parts, caller: Caller, run_id: str, request_id: str, decision: Decision) -> RequestOut:
    """Answer an approval or a question. The same answer again returns the stored one; another one is a conflict."""
    given = RequestAnswer(decision=decision.decision, text=decision.text, values=decision.values, plan=decision.plan)
    return RequestOut.model_validate(await parts.runs.answer(caller, run_id, request_id, given))
