"""Read the answer of a model in a structured round, with patience for the ways in which models miss the form.

Never raises. An answer that cannot be used is returned as the code of a reason in the catalogue, which the model is
told in its repair round, and the person if that fails too.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tablewright.domain.naming import storable
from tablewright.domain.structured import MAX_CALLS, StructuredAnswer, ToolRequest
from tablewright.errors import Parameter
from tablewright.models.lenient_json import read_json, read_object

CALLS = frozenset({"toolcall", "toolcalls", "tool", "tools", "call", "calls", "functioncall", "tooluse"})
"""What models write for `tool_call`, without separators."""
COMPLETIONS = frozenset({"complete", "completed", "completion", "final", "finalanswer", "answer", "report", "done"})
CALL_NAMES = ("tool_name", "name", "tool", "function")
CALL_ARGUMENTS = ("arguments", "args", "parameters", "params", "input", "tool_input")
REPORT_NAMES = ("content", "report", "final_report", "text", "markdown", "html", "answer", "response")
_SIGNS = re.compile(r'[\\"{}\[\]]')
"""What tells where a text ends within its JSON."""
DEPTH = 40
"""Values nested deeper than this are cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableAnswer:
    """Why an answer cannot be used: `problem` is a code of the catalogue."""

    problem: str
    params: dict[str, Parameter] = field(default_factory=dict[str, Parameter])


def read_answer(
    text: str, *, number: int, taken: Collection[str] = (), salvage: bool = False
) -> StructuredAnswer | UnreadableAnswer:
    """Return the answer that a model wrote as `text` in round `number`, or why it cannot be used.

    Ids of calls that are missing, doubled or among the `taken` are made anew. An answer that was cut off in the middle
    of its report is unreadable, unless `salvage` asks for what there is of it.
    """
    value = _plain(read_json(text))
    ending = ending_of(text)
    root = _root(value)
    if root is None:
        return _unreadable("structured.not_json", ending)
    action = _action(root)
    if action is None:
        return _unreadable("structured.no_action", ending)
    answer = StructuredAnswer(
        task_analysis=_words(root.get("task_analysis"), "\n"),
        execution_plan=_words(root.get("execution_plan"), "; "),
        current_round=_round(root.get("current_round"), number),
        recommended_questions=_names(_either(action, root, "recommended_questions"), ("question", "text", "title")),
        download_links=tuple(
            dict.fromkeys(
                _file_name(name)
                for name in _names(_either(action, root, "download_links"), ("filename", "file", "name", "url", "path"))
            )
        ),
    )
    return _with_content(answer, action, number, taken, ending, salvage=salvage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Where a text ends within the JSON that it begins: the brackets that are open, and whether within a string."""

    brackets: str = ""
    in_string: bool = False

    @property
    def cut(self) -> bool:
        """Whether the text ends before its JSON does."""
        return bool(self.brackets)

    @property
    def in_item(self) -> bool:
        """Whether it ends within an object of a list."""
        return "[{" in self.brackets


def ending_of(text: str) -> Ending:
    """Return where `text` ends within the object that it begins."""
    start = text.find("{")
    quoted, escaped, opened = False, -1, list[str]()
    for match in _SIGNS.finditer(text, start) if start >= 0 else ():
        char, place = match[0], match.start()
        if place == escaped:
            continue
        if quoted and char == "\\":
            escaped = place + 1
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in "{[":
            opened.append(char)
        elif not quoted and char in "}]" and opened:
            opened.pop()
            if not opened:
                return Ending()
    if text.rstrip(" \n`").endswith("}") and quoted:  # quotes that were not escaped, rather than a cut
        return Ending()
    return Ending(brackets="".join(opened), in_string=quoted)


def _with_content(
    answer: StructuredAnswer,
    action: dict[str, Any],
    number: int,
    taken: Collection[str],
    ending: Ending,
    *,
    salvage: bool,
) -> StructuredAnswer | UnreadableAnswer:
    content = next((action[name] for name in ("content", "tool_calls", "calls", *REPORT_NAMES) if name in action), None)
    kind = _kind(action.get("type"))
    found = _calls_in(content) if kind != "complete" or not isinstance(content, str) else None
    if found is not None and (found or kind == "tool_call"):
        return _with_calls(answer, found[:-1] if ending.in_item else found, number, taken, ending)
    if kind == "tool_call":
        return _unreadable("structured.no_calls", ending)
    report = _report(content)
    if not report.strip():
        return _unreadable("structured.no_report", ending)
    if ending.in_string and not salvage:
        return UnreadableAnswer(problem="structured.cut_off")
    return replace(answer, report=report)


def _with_calls(
    answer: StructuredAnswer, found: list[Any], number: int, taken: Collection[str], ending: Ending
) -> StructuredAnswer | UnreadableAnswer:
    if not found:
        return _unreadable("structured.no_calls", ending)
    if len(found) > MAX_CALLS:
        return UnreadableAnswer(problem="structured.too_many_calls", params={"count": len(found), "limit": MAX_CALLS})
    used = set(taken)
    calls: list[ToolRequest] = []
    for place, each in enumerate(found, start=1):
        call = _call(each)
        calls.append(replace(call, tool_call_id=_free_id(call.tool_call_id, f"call_r{number}_{place}", used)))
        used.add(calls[-1].tool_call_id)
    if not any(call.tool_name for call in calls):
        return UnreadableAnswer(problem="structured.no_calls")
    return replace(answer, calls=tuple(calls))


def _unreadable(problem: str, ending: Ending) -> UnreadableAnswer:
    """Return why nothing can be done with an answer: that it is not whole comes before what it lacks."""
    return UnreadableAnswer(problem="structured.cut_off" if ending.cut else problem)


def _root(value: Any) -> dict[str, Any] | None:
    """Return the object of an answer: as written, out of a wrapper such as `{"response": …}`, or around bare calls."""
    if isinstance(value, list):
        inner = next((each for each in value if isinstance(each, dict) and "action" in each), None)
        bare = any(isinstance(each, dict) and any(name in each for name in CALL_NAMES) for each in value)
        return inner or ({"action": {"type": "tool_call", "content": value}} if bare else None)
    if not isinstance(value, dict):
        return None
    if "action" not in value and "type" not in value and len(value) == 1:
        (inner,) = value.values()
        if isinstance(inner, str):
            inner = _plain(read_object(inner))
        if isinstance(inner, dict) and ("action" in inner or "type" in inner):
            return inner
    return value


def _action(root: dict[str, Any]) -> dict[str, Any] | None:
    """Return the action: nested as it should be, as text, as a list of one, or with its fields beside the others."""
    action = root.get("action")
    if isinstance(action, list) and len(action) == 1:
        action = action[0]
    if isinstance(action, str):
        action = _plain(read_object(action)) if action.lstrip().startswith("{") else {**root, "type": action}
    if isinstance(action, list):
        action = {"type": "tool_call", "content": action}
    if isinstance(action, dict):
        return action or None
    if _kind(root.get("type")) or "tool_calls" in root:
        return root
    if any(name in root for name in CALL_NAMES[:1]):
        return {"type": "tool_call", "content": root}
    if isinstance(root.get("content"), str | list | dict):
        return root
    return None


def ends_rounds(kind: str) -> bool:
    """Return whether an action of this type, as a model writes it, is the report."""
    return _kind(kind) == "complete"


def _kind(value: Any) -> str:
    """Return `tool_call` or `complete`; empty for what is neither."""
    word = "".join(char for char in str(value).lower() if char.isalpha())
    return "tool_call" if word in CALLS else "complete" if word in COMPLETIONS else ""


def _calls_in(content: Any) -> list[Any] | None:
    """Return the calls in the content of an action; None if it has none and may be a report."""
    if isinstance(content, str):
        content = _plain(read_json(content)) if content.lstrip()[:1] in {"{", "[", "`"} else None
    if isinstance(content, dict):
        content = content.get("tool_calls", content.get("calls", content))
        content = [content] if isinstance(content, dict) else content
    if not isinstance(content, list):
        return None
    calls = [each for each in content if isinstance(each, dict) and any(name in each for name in CALL_NAMES)]
    return calls if calls or not content else None


def _call(value: dict[str, Any]) -> ToolRequest:
    name = next((value[key] for key in CALL_NAMES if value.get(key)), "")
    inner = value
    if isinstance(name, dict):  # {"function": {"name": …, "arguments": …}}
        inner, name = name, name.get("name", "")
    arguments: Any = next((inner[key] for key in CALL_ARGUMENTS if key in inner), {})
    if isinstance(arguments, str):
        arguments = _plain(read_object(arguments)) or {}
    if not isinstance(arguments, dict):
        arguments = {}
    own_id = next((value[key] for key in ("tool_call_id", "id", "call_id") if value.get(key)), "")
    return ToolRequest(
        tool_name=_words(name, " ").strip(),
        tool_call_id=own_id.strip()[:200] if isinstance(own_id, str) else str(own_id)[:200],
        arguments=dict(arguments),
    )


def _free_id(wanted: str, otherwise: str, used: Collection[str]) -> str:
    name, number, free = wanted or otherwise, 1, wanted or otherwise
    while free in used:
        number += 1
        free = f"{name}_{number}"
    return free


def _report(content: Any) -> str:
    """Return a report: text, the text in an object, or a list of paragraphs."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return next((content[name] for name in REPORT_NAMES if isinstance(content.get(name), str)), "")
    if isinstance(content, list):
        return "\n\n".join(part for part in map(_report, content) if part.strip())
    return ""


def _words(value: Any, between: str) -> str:
    """Return a text that may have been written as a list, an object or a number."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return between.join(said for each in value if (said := _words(each, between)))
    if isinstance(value, dict):
        return between.join(f"{name}: {_words(each, between)}" for name, each in value.items())
    return json.dumps(value, ensure_ascii=False)


def _round(value: Any, number: int) -> int:
    """Return the round as the model counts it, or `number` if it wrote none."""
    if isinstance(value, str):
        digits = "".join(char for char in value if char in "0123456789")
        value = int(digits) if digits and len(digits) < 6 else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return number
    return int(value) if 1 <= value < 100_000 else number


def _either(action: dict[str, Any], root: dict[str, Any], name: str) -> Any:
    return action.get(name) or root.get(name)


def _names(value: Any, keys: tuple[str, ...]) -> tuple[str, ...]:
    """Return a list of texts that may have been written as one text, by line, or as objects with one of `keys`."""
    items = value.splitlines() if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(dict.fromkeys(said for each in items for said in _name(each, keys)))


def _name(value: Any, keys: tuple[str, ...]) -> Iterator[str]:
    if isinstance(value, dict):
        value = next((value[key] for key in keys if isinstance(value.get(key), str)), None)
    if isinstance(value, str) and (said := value.strip().removeprefix("- ").strip()):
        yield said


def _file_name(name: str) -> str:
    """Return the name of a file as the conversation knows it: without the folder that models write before it."""
    return name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]


def _plain(value: Any, depth: int = 0) -> Any:
    """Return a JSON value that can be stored: no NaN or infinity, no lone surrogates, not too deep."""
    if depth > DEPTH:
        return None
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(name)): _plain(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, depth + 1) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 63:
        return float(value) if value.bit_length() < 1000 else None
    return value if isinstance(value, int | float | bool) else None
