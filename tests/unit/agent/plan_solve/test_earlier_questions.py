"""Plans in a conversation: what was asked before is known to those who carry out a task, and told once."""

from __future__ import annotations

from pathlib import Path

from tests.support.plan_bench import Roles, finish, plan, plan_bench

from tablewright.domain.task import UseTools
from tablewright.service.runs.runs import Ask


async def test_a_task_is_read_after_the_earlier_questions_which_its_messages_tell_once(tmp_path: Path) -> None:
    roles = Roles(planner=[plan("total by region"), finish(), plan("and the average?"), finish()], summary="North: 7.")
    told = plan_bench(tmp_path, roles)
    first = await told.start("total by region")
    await told.ended(first)
    ask = Ask(text="and the average?", agent="plan_solve", mode="plan")
    await told.ended(await told.bench.runs.start(told.bench.scope, first.conversation_id, ask))
    request = roles.of(UseTools)[-1]
    assert [(turn.question, turn.answer) for turn in request.task.history] == [("total by region", "North: 7.")]
    words = "\n".join(message.text for message in request.messages)
    assert words.count("total by region") == words.count("North: 7.") == 1
    await told.close()
