"""A question to the person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.run import RequestAnswer
from tablewright.domain.workflow import AskUserNode
from tablewright.errors import NodeFailed
from tablewright.texts.catalogue import text
from tablewright.tools.arguments import checked
from tablewright.workflows.base import Done, NodeCall, Question, Result
from tablewright.workflows.expressions.filters import as_text
from tablewright.workflows.expressions.language import expression, template
from tablewright.workflows.ports import ANSWERED, EXPIRED
from tablewright.workflows.typed_answers import schema_of, typed_answer
from tablewright.workflows.values import utc_time

MOST_OPTIONS = 200


class AskUserKind:
    """Implements `AskingKind` for `AskUserNode`. An answer that does not fit is asked for again, saying why."""

    acts = False

    def prepare(self, node: AskUserNode, call: NodeCall) -> dict[str, Any]:
        """Raises `NodeFailed` for a default that would be no answer: it would be asked for again for ever."""
        options = list(node.options)
        if node.options_from is not None:
            listed = expression(node.options_from).evaluate(call.variables)
            if not isinstance(listed, list) or not listed:
                raise NodeFailed("workflow_no_options", node=node.id)
            options = [as_text(each) for each in listed[:MOST_OPTIONS]]
        default = None if node.default is None else template(node.default).evaluate(call.variables)
        given = {"prompt": template(node.prompt).evaluate(call.variables), "options": options, "default": default}
        if default is not None:
            read = _read(node, given, RequestAnswer(decision="answer", text=default), call.language)
            if isinstance(read, str):
                raise NodeFailed("workflow_default_wrong", node=node.id, words=read)
        return given | ({"expires_at": _expiry(node, call)} if node.expires else {})

    async def run(self, node: AskUserNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return _question(node, given)

    def resumed(self, node: AskUserNode, given: Mapping[str, Any], answer: RequestAnswer, call: NodeCall) -> Result:
        """Return the end of the node, or the question again with what is wrong with the answer."""
        expired = answer.decision == "expired"
        if expired and given["default"] is None:
            return Done(output={**_nothing(node), "expired": True}, port=EXPIRED)
        read = _read(node, given, answer, call.language)
        if isinstance(read, str):
            return _question(node, given, read)
        if not node.expires:
            return read
        return Done(output={**read.output, "expired": expired}, port=read.port or ANSWERED)


def accepts(node: AskUserNode, options: Sequence[str], message: str) -> bool | None:
    """Return whether a question that demands something takes these words; None where any will do."""
    if node.form == "text" and schema_of(node) is None:
        return None
    said = RequestAnswer(decision="answer", text=message)
    return not isinstance(_read(node, {"options": list(options), "default": None}, said, "en"), str)


def _read(node: AskUserNode, given: Mapping[str, Any], answer: RequestAnswer, language: Language) -> Done | str:
    """Return what an answer comes to, or what is wrong with it."""
    said = answer.text if answer.text is not None else given["default"]
    match node.form:
        case "form":
            return _form(node, said if answer.values is None else answer.values, language)
        case "choice":
            option = _option(said, given["options"])
            if option is None:
                return text("workflow_answer_choice", language)
            return Done(output={"text": option, "choice": option}, port=option if node.options else None)
        case "text":
            typed = typed_answer(node, said or "", language)
            value = {} if node.accepts == "text" else {"value": typed.value}
            return typed.problem or Done(output={"text": typed.words, **value})


def _form(node: AskUserNode, said: Mapping[str, Any] | str | None, language: Language) -> Done | str:
    """Read a form: its values, or the text of a JSON object with them."""
    values: Any = said
    if isinstance(said, str):
        try:
            values = json.loads(said)
        except (ValueError, RecursionError):
            names = ", ".join((node.schema or {}).get("properties") or ())
            return text("workflow_answer_form", language, names=names)
    form = checked({"additionalProperties": False, **(node.schema or {})}, values or {}, language)
    return " ".join(form.problems) if form.problems else Done(output={"values": dict(form.values)})


def _question(node: AskUserNode, given: Mapping[str, Any], problem: str = "") -> Question:
    return Question(
        prompt=f"{problem}\n{given['prompt']}" if problem else given["prompt"],
        schema=schema_of(node),
        options=tuple(given["options"]),
        default=given["default"],
        expires_at=datetime.fromisoformat(given["expires_at"]) if "expires_at" in given else None,
    )


def _expiry(node: AskUserNode, call: NodeCall) -> str:
    if node.expires_s is not None:
        return (datetime.fromisoformat(call.now()) + timedelta(seconds=node.expires_s)).isoformat()
    words = template(node.expires_at or "").evaluate(call.variables).strip()
    try:
        return utc_time(words).isoformat()
    except ValueError as error:
        raise NodeFailed("workflow_no_time", node=node.id, words=words[:80]) from error


def _nothing(node: AskUserNode) -> dict[str, Any]:
    """Return the output of a question that nobody has answered."""
    match node.form:
        case "form":
            return {"values": {}}
        case "choice":
            return {"text": "", "choice": None}
        case "text":
            return {"text": ""} | ({} if node.accepts == "text" else {"value": None})


def _option(said: str | None, options: list[str]) -> str | None:
    """Return the option that an answer names: its words in any case, or its number from 1."""
    words = (said or "").strip()
    for option in options:
        if option.strip().casefold() == words.casefold():
            return option
    number = int(words) if words.isdecimal() and len(words) < 6 else 0
    return options[number - 1] if 0 < number <= len(options) else None
