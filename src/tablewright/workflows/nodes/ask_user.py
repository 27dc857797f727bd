"""A question to the person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.run import RequestAnswer
from tablewright.domain.workflow import AskUserNode
from tablewright.errors import NodeFailed
from tablewright.texts.catalogue import text
from tablewright.tools.arguments import checked
from tablewright.workflows.base import Done, NodeCall, Question, Result
from tablewright.workflows.expressions.filters import as_text
from tablewright.workflows.expressions.language import expression, template

MOST_OPTIONS = 200


class AskUserKind:
    """Implements `AskingKind` for `AskUserNode`. An answer that does not fit is asked for again, saying why."""

    acts = False

    def prepare(self, node: AskUserNode, call: NodeCall) -> dict[str, Any]:
        options = list(node.options)
        if node.options_from is not None:
            listed = expression(node.options_from).evaluate(call.variables)
            if not isinstance(listed, list) or not listed:
                raise NodeFailed("workflow_no_options", node=node.id)
            options = [as_text(each) for each in listed[:MOST_OPTIONS]]
        default = None if node.default is None else template(node.default).evaluate(call.variables)
        return {"prompt": template(node.prompt).evaluate(call.variables), "options": options, "default": default}

    async def run(self, node: AskUserNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return self._question(node, given)

    def resumed(self, node: AskUserNode, given: Mapping[str, Any], answer: RequestAnswer, call: NodeCall) -> Result:
        """Return the end of the node, or the question again with what is wrong with the answer."""
        said = answer.text if answer.text is not None else given["default"]
        match node.form:
            case "form":
                return self._form(node, given, answer, call)
            case "choice":
                option = _option(said, given["options"])
                if option is None:
                    return self._question(node, given, text("workflow_answer_choice", call.language))
                return Done(output={"text": option, "choice": option}, port=option)
            case "text":
                if said is None or not said.strip():
                    return self._question(node, given, text("workflow_answer_empty", call.language))
                return Done(output={"text": said.strip()})

    def _form(self, node: AskUserNode, given: Mapping[str, Any], answer: RequestAnswer, call: NodeCall) -> Result:
        values = answer.values or {}
        told = checked({"additionalProperties": False, **(node.schema or {})}, values, call.language)
        if told.problems:
            return self._question(node, given, " ".join(told.problems))
        return Done(output={"values": dict(told.values)})

    def _question(self, node: AskUserNode, given: Mapping[str, Any], problem: str = "") -> Question:
        prompt = f"{problem}\n{given['prompt']}" if problem else given["prompt"]
        options = tuple(given["options"])
        return Question(prompt=prompt, schema=node.schema, options=options, default=given["default"])


def _option(said: str | None, options: list[str]) -> str | None:
    """Return the option that an answer names: its words in any case, or its number from 1."""
    words = (said or "").strip()
    for option in options:
        if option.strip().casefold() == words.casefold():
            return option
    number = int(words) if words.isdecimal() and len(words) < 6 else 0
    return options[number - 1] if 0 < number <= len(options) else None
