"""Asks a person about a plan: yes, no, other words, or an edited plan."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.written_plan import Unreadable, canonical, plan_of
from tablewright.domain.run import RequestAnswer
from tablewright.texts.catalogue import text

YES = frozenset({"y", "yes", "ok", "是", "好", "好的", "可以", "确认", "同意", "执行"})
NO = frozenset({"n", "no", "否", "不", "不要", "取消"})
EDIT = frozenset({"e", "edit", "编辑", "修改"})
STEP = ("function", "parameters", "description")

Edit = Callable[[str], str]
"""Lets a person edit a text and returns the result."""


def plan_json(steps: Sequence[PlanStep]) -> dict[str, Any]:
    """Return steps in the JSON format of plans."""
    return {
        "execution_plan": [
            {"step": step.step, "function": step.function, "parameters": dict(step.parameters),
                "description": step.description}
            for step in steps
        ]
    }  # fmt: skip


def decide(
    steps: Sequence[PlanStep], language: Language, read: Callable[[str], str], edit: Edit | None = None
) -> RequestAnswer:
    """Ask until there is a decision; empty lines are ignored."""
    while True:
        said = read(text("cli_plan_ask", language)).strip()
        word = said.lower()
        if word in YES:
            return RequestAnswer(decision="approve")
        if word in NO:
            return RequestAnswer(decision="reject")
        if word in EDIT:
            try:
                return RequestAnswer(decision="approve", plan=edited(steps, edit or in_editor))
            except (ValueError, OSError, subprocess.SubprocessError) as error:
                print(text("cli_plan_unreadable", language, detail=error))
        elif said:
            return RequestAnswer(decision="reject", text=said)


def edited(steps: Sequence[PlanStep], edit: Edit) -> dict[str, Any]:
    """Return the plan as edited by a person. Raises `ValueError` if it is not a plan."""
    before = json.dumps(plan_json(steps), ensure_ascii=False, indent=2)
    try:
        wanted = plan_of(canonical(json.loads(edit(before)))).steps
    except Unreadable:
        wanted = ()
    if not wanted:
        raise ValueError("execution_plan: [{step, function, parameters, description}]")
    return plan_json([replace(step, step=number) for number, step in enumerate(wanted, 1)])


def in_editor(content: str) -> str:
    """Let a person edit `content` in their editor (`VISUAL`, `EDITOR`, or vi) and return the result."""
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.json"
        path.write_text(content, encoding="utf-8")
        subprocess.run([*command, str(path)], check=True)  # noqa: S603  # the person's own editor
        return path.read_text(encoding="utf-8")
