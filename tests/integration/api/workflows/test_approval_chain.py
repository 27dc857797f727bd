"""The template of an approval chain: who is asked depends on the amount and on what was decided before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.workflow_face import face_of, workflow_parts


@pytest.mark.parametrize(
    ("amount", "decisions", "approved"),
    [
        (50, ["approve"], True),
        (50, ["reject"], False),
        (5000, ["approve", "approve"], True),
        (5000, ["approve", "reject"], False),
        (5000, ["reject"], False),
    ],
)
async def test_approvers_are_asked_one_after_the_other(
    tmp_path: Path, amount: int, decisions: list[str], approved: bool
) -> None:
    async with face_of(workflow_parts(tmp_path)) as face:
        run_id = await face.started("ann", "approval_chain")

        async def answered(**answer: Any) -> None:
            run = await face.rested("ann", run_id)
            (request,) = [each for each in run["requests"] if each["answered_at"] is None]
            body = {"decision": "answer", **answer}
            await face.call("ann", "POST", f"/runs/{run_id}/requests/{request['id']}", json=body)

        await answered(values={"subject": "desk", "amount": amount})
        for decision in decisions:
            await answered(text=decision)
        run = await face.rested("ann", run_id)
        assert run["outcome"] == "completed", run
        assert run["answer"]["outputs"] == {"approved": approved, "subject": "desk", "amount": amount}
