"""The agent that runs workflows, imported with the first run of one."""

from __future__ import annotations

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.bootstrap.loader import WEB_REQUESTS, WORKFLOW_AGENT, WORKFLOW_SERVICES, WORKFLOW_TEMPLATE, load
from tablewright.data.base import WebPages
from tablewright.tools.base import ToolProvider


def workflow_agent(tools: ToolProvider | None, pages: WebPages | None) -> Agent:
    """Return the agent; its nodes use `tools`, read the web with `pages`, and send requests if they may read it."""

    def services(given: AgentInput, context: AgentContext) -> object:
        library, requests = load(WORKFLOW_TEMPLATE), None if pages is None else load(WEB_REQUESTS)()
        return load(WORKFLOW_SERVICES)(given, context, tools=tools, pages=pages, requests=requests, library=library)

    agent: Agent = load(WORKFLOW_AGENT)(services)
    return agent
