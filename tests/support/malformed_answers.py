"""Answers as models write them when they miss the form.

`python -m tests.support.malformed_answers` writes the list anew. Each answer is kept with what became of it when it was
read in round 2: calls, a report, or the reason for which it is asked again. The list is read by eye when it changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tablewright.models.structured_reading import UnreadableAnswer, read_answer

FILE = Path(__file__).resolve().parents[1] / "suites" / "structured" / "malformed.jsonl"
CALL: dict[str, Any] = {"tool_name": "echo", "tool_call_id": "c1", "arguments": {"text": "a"}}
OTHER: dict[str, Any] = {"tool_name": "echo", "tool_call_id": "c2", "arguments": {"text": "b"}}
CODE: dict[str, Any] = {
    "tool_name": "run_python",
    "tool_call_id": "c3",
    "arguments": {"code": "print('{}')\nprint(\"]\")"},
}


def answer(action: Any = None, **fields: Any) -> dict[str, Any]:
    """A right answer, with `fields` changed; those that are `...` are left out."""
    whole = {
        "task_analysis": "Sums by city.",
        "execution_plan": "R1: look; R2: report",
        "current_round": 2,
        "action": calling(CALL) if action is None else action,
        **fields,
    }
    return {name: value for name, value in whole.items() if value is not ...}


def calling(*calls: Any, **fields: Any) -> dict[str, Any]:
    """A right action that asks for calls."""
    return {"type": "tool_call", "content": [*calls], **fields}


def reporting(text: Any = "# Report\n\nA sold 3.", **fields: Any) -> dict[str, Any]:
    """A right action that reports."""
    return {"type": "complete", "content": text, **fields}


def written(value: Any, **how: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **how)


RIGHT_CALLS, RIGHT_REPORT = written(answer(calling(CALL, OTHER))), written(answer(reporting()))


def fences() -> Iterator[str]:
    for text in (RIGHT_CALLS, RIGHT_REPORT):
        yield f"```json\n{text}\n```"
        yield f"```\n{text}\n```"
        yield f"```JSON\n{text}\n```\n"
        yield f"```json\n{text}"
        yield f"{text}\n```"
        yield f"``` json\n\n{text}\n\n```"
    yield f"```json\n{written(answer(calling(CODE)), indent=2)}\n```"
    with_code = reporting("Code:\n```python\nprint(1)\n```\nDone.")
    yield f"```json\n{written(answer(with_code))}\n```"
    yield "```json\n" + written(answer(with_code), indent=2).replace("\\n", "\n") + "\n```"


def prose() -> Iterator[str]:
    for text in (RIGHT_CALLS, RIGHT_REPORT):
        yield f"Here is my answer:\n{text}"
        yield f"{text}\n\nLet me know if you need more."
        yield f"好的，我先看一下数据。\n\n{text}\n\n以上。"
        yield f"I will use {{curly}} braces.\n{text}"
        yield f"# Round 2\n\n- first\n\n```json\n{text}\n```\n\nThat is all [1]."
        yield f"<think>{{not yet}}</think>\n{text}"
        yield f"<answer>{text}</answer>"
        yield f"Answer: {text}."


def cuts() -> Iterator[str]:
    for text in (RIGHT_CALLS, RIGHT_REPORT):
        for share in (0.05, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97):
            yield text[: int(len(text) * share)]
        yield text[:-1]
        yield text[:-2]
    yield f"```json\n{RIGHT_REPORT[:-30]}"


def punctuation() -> Iterator[str]:
    for text in (RIGHT_CALLS, RIGHT_REPORT):
        yield text.replace("}", ",}")
        yield text.replace("]", ",]")
        yield text.replace(", ", " ", 1)
        yield text.replace(", ", ",, ", 1)
        yield text.replace('"', "'")
        yield text.replace('"', "“", 1).replace('"', "”", 1)
        yield text.replace(": ", ":", 3).replace('"task_analysis"', "task_analysis")
        yield text.replace('"current_round": 2', '"current_round": 2 // the second')
        yield text.replace("{", "{ /* so */ ", 1)
        yield text.replace("：", ":").replace(",", "，", 1)
        yield text.replace('"current_round": 2', '"current_round" = 2')
        yield text.rstrip("}")
        yield text + "}"


def strings() -> Iterator[str]:
    yield RIGHT_REPORT.replace("\\n", "\n")
    yield RIGHT_REPORT.replace("\\n", "\r\n")
    yield RIGHT_REPORT.replace("\\n", "\t")
    yield RIGHT_REPORT.replace("A sold 3.", 'A sold "3" units.')
    yield RIGHT_REPORT.replace("A sold 3.", "A sold \\d 3.")
    yield RIGHT_REPORT.replace("A sold 3.", "C:\\data\\x.csv")
    yield RIGHT_REPORT.replace("A sold 3.", "It\\'s 3.")
    yield RIGHT_CALLS.replace('"text": "a"', '"text": "a\nb"')
    yield RIGHT_CALLS.replace('"text": "a"', '"text": """a"""')
    yield written(answer(calling(CODE))).replace("\\n", "\n").replace('\\"', '"')


def types() -> Iterator[str]:
    for number in ("2", "R2", "two", 2.0, 2.7, 0, -1, True, None, [2], {"round": 2}, 10**30, "99999999"):
        yield written(answer(current_round=number))
    for words in (None, 7, ["one", "two"], {"1": "one"}, "", True):
        yield written(answer(task_analysis=words, execution_plan=words))
    yield written(answer(reporting(["# Report", "A sold 3."])))
    yield written(answer(reporting({"report": "A sold 3."})))
    yield written(answer(reporting({"rows": 3})))
    yield written(answer(reporting(3)))
    yield written(answer(reporting(None)))
    yield written(answer(reporting("")))
    yield written(answer(reporting("   \n")))
    yield written(answer(reporting("x", recommended_questions="Why?\nWhen?", download_links="data/a.csv")))
    yield written(
        answer(reporting("x", recommended_questions=[1, None, {"question": "Why?"}], download_links={"a": 1}))
    )
    yield written(answer(reporting("x", download_links=[{"filename": "a.csv"}, "/data/shared/a.csv", "b.csv"])))


def absences() -> Iterator[str]:
    for name in ("task_analysis", "execution_plan", "current_round", "action"):
        yield written(answer(**{name: ...}))
    yield written({"action": calling(CALL)})
    yield written({"action": reporting()})
    yield written(answer({"type": "tool_call"}))
    yield written(answer({"type": "complete"}))
    yield written(answer({"content": [CALL]}))
    yield written(answer({"content": "A sold 3."}))
    yield written(answer({}))
    yield written({**answer(), "action": None})
    yield written({})
    yield "[]"


def places() -> Iterator[str]:
    yield written(answer("tool_call", content=[CALL]))
    yield written(answer("complete", content="A sold 3."))
    yield written(answer(..., type="tool_call", content=[CALL]))
    yield written(answer(..., type="complete", content="A sold 3."))
    yield written(answer(..., tool_calls=[CALL]))
    yield written(answer(written(calling(CALL))))
    yield written(answer(written(reporting())))
    yield written(answer([calling(CALL)]))
    yield written(answer([CALL, OTHER]))
    yield written({"response": answer()})
    yield written({"data": written(answer())})
    yield written([answer()])
    yield written([CALL, OTHER])
    yield written(CALL)
    yield written(answer(written(answer())))
    for kind in (
        "TOOL_CALL",
        "tool call",
        "tool_calls",
        "function_call",
        "Complete",
        "final_answer",
        "finish",
        "",
        None,
        1,
    ):
        content: Any = [CALL] if "call" in str(kind).lower() else "A sold 3."
        yield written(answer({"type": kind, "content": content}))
    yield written(answer({"type": "tool_call", "content": "I would call echo."}))
    yield written(answer({"type": "tool_call", "content": written([CALL])}))
    yield written(answer({"type": "complete", "content": [CALL]}))
    yield written(answer({"type": "complete", "content": written({"rows": [1, 2]})}))
    yield written(answer({"type": "complete", "text": "A sold 3."}))
    yield written(answer(reporting(), recommended_questions=["Why?"], download_links=["a.csv"]))


def requests() -> Iterator[str]:
    yield written(answer(calling({"tool_name": "echo", "arguments": {"text": "a"}})))
    yield written(answer(calling(CALL, CALL)))
    yield written(answer(calling({**CALL, "tool_call_id": 7}, {**OTHER, "tool_call_id": None})))
    yield written(answer(calling({**CALL, "tool_call_id": "x" * 500})))
    yield written(answer(calling({"name": "echo", "id": "c1", "args": {"text": "a"}})))
    yield written(answer(calling({"tool": "echo", "input": {"text": "a"}})))
    function = {"name": "echo", "arguments": '{"text": "a"}'}
    yield written(answer(calling({"id": "c1", "type": "function", "function": function})))
    for given in ('{"text": "a"}', "not json", [1, 2], None, 7, {"text": None}, {"text": ["a"]}):
        yield written(answer(calling({**CALL, "arguments": given})))
    yield written(answer(calling({"tool_name": "echo"})))
    yield written(answer(calling({"tool_name": "", "arguments": {}})))
    yield written(answer(calling({"tool_name": "", "arguments": {}}, CALL)))
    yield written(answer(calling({"tool_name": ["echo"], "arguments": {"text": "a"}})))
    yield written(answer(calling({"tool_name": "erase_everything", "arguments": {}})))
    yield written(answer(calling("echo", CALL)))
    yield written(answer(calling("echo")))
    yield written(answer(calling()))
    yield written(answer({"type": "tool_call", "content": CALL}))
    yield written(answer({"type": "tool_call", "content": {"calls": [CALL]}}))
    for count in (7, 50):
        yield written(answer(calling(*({**CALL, "tool_call_id": f"c{number}"} for number in range(count)))))


def others() -> Iterator[str]:
    yield ""
    yield "   \n\t"
    yield "I cannot answer this."
    yield "42"
    yield '"# Report"'
    yield "null"
    yield "true"
    yield "# Report\n\nA sold 3."
    yield "<html><body><div>3</div></body></html>"
    yield '<tool_call>{"name": "echo", "arguments": {"text": "a"}}</tool_call>'
    yield "<|begin_code|>\n# @step: Look\nprint(1)\n<|end_code|>"
    yield "```python\nprint({'a': 1})\n```"
    yield "echo(text='a')"
    yield "{"
    yield "}{"
    yield "{}" * 40
    yield "[" * 5000
    yield '{"a":' * 3000
    yield "...\n" * 50


def contents() -> Iterator[str]:
    yield f"\ufeff{RIGHT_REPORT}"
    yield RIGHT_REPORT.replace("A sold 3.", "\\ud83d lone")
    yield RIGHT_REPORT.replace("A sold 3.", "null \\u0000 inside")
    yield RIGHT_REPORT.replace("A sold 3.", "emoji 📈 and عربى")
    yield RIGHT_CALLS.replace('"text": "a"', '"text": NaN')
    yield RIGHT_CALLS.replace('"text": "a"', '"text": Infinity')
    yield RIGHT_CALLS.replace('"text": "a"', f'"text": {"9" * 400}')
    yield RIGHT_CALLS.replace('"text": "a"', f'"text": {"[" * 60}{"]" * 60}')
    yield RIGHT_REPORT.replace("A sold 3.", "long " * 4000)
    yield f"{RIGHT_CALLS}\n{RIGHT_REPORT}"
    yield f"{RIGHT_REPORT}{RIGHT_REPORT}"
    yield written(answer(reporting("<script>alert(1)</script>")))
    yield written({**answer(), "action": calling(CALL), "extra": {"deep": [1, {"x": None}]}})


CATEGORIES = {
    "fences": fences,
    "prose around": prose,
    "cut off": cuts,
    "punctuation": punctuation,
    "strings": strings,
    "wrong types": types,
    "missing fields": absences,
    "wrong places": places,
    "calls": requests,
    "no answer at all": others,
    "contents": contents,
}


def became(text: str) -> dict[str, Any]:
    """Return what is read from an answer in round 2."""
    read = read_answer(text, number=2)
    if isinstance(read, UnreadableAnswer):
        return {"asked again": read.problem}
    if read.report is None:
        return {"calls": [[call.tool_name, call.tool_call_id, call.arguments] for call in read.calls]}
    return {"report": read.report}


def entries() -> Iterator[dict[str, Any]]:
    """Yield every answer with what becomes of it."""
    for category, made in CATEGORIES.items():
        for number, text in enumerate(made(), start=1):
            yield {"category": category, "number": number, "written": text, "became": became(text)}


def kept() -> list[dict[str, Any]]:
    """Return the list as it is kept."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text("".join(f"{json.dumps(entry, ensure_ascii=True)}\n" for entry in entries()), encoding="utf-8")
