"""The kinds of nodes, one per file."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.workflows.base import NodeKind
from tablewright.workflows.nodes.agent import AgentKind
from tablewright.workflows.nodes.ask_user import AskUserKind
from tablewright.workflows.nodes.code import CodeKind
from tablewright.workflows.nodes.condition import ConditionKind
from tablewright.workflows.nodes.database import DatabaseKind
from tablewright.workflows.nodes.end import EndKind
from tablewright.workflows.nodes.http import HttpKind
from tablewright.workflows.nodes.join import JoinKind
from tablewright.workflows.nodes.loop import LoopKind
from tablewright.workflows.nodes.model import ModelKind
from tablewright.workflows.nodes.parallel import ParallelKind
from tablewright.workflows.nodes.start import StartKind
from tablewright.workflows.nodes.sub_workflow import SubWorkflowKind
from tablewright.workflows.nodes.switch import SwitchKind
from tablewright.workflows.nodes.template import TemplateKind
from tablewright.workflows.nodes.tool import ToolKind
from tablewright.workflows.nodes.wait import WaitKind
from tablewright.workflows.nodes.workbook import WorkbookKind

KINDS: Mapping[str, NodeKind] = {
    "start": StartKind(),
    "end": EndKind(),
    "template": TemplateKind(),
    "condition": ConditionKind(),
    "switch": SwitchKind(),
    "parallel": ParallelKind(),
    "join": JoinKind(),
    "loop": LoopKind(),
    "ask_user": AskUserKind(),
    "wait": WaitKind(),
    "sub_workflow": SubWorkflowKind(),
    "agent": AgentKind(),
    "model": ModelKind(),
    "tool": ToolKind(),
    "code": CodeKind(),
    "http": HttpKind(),
    "database": DatabaseKind(),
    "workbook": WorkbookKind(),
}
"""By the `kind` of the configuration."""
