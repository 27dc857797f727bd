"""The Python around the code of a node: variables before it, its result after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

MARK = "tablewright-result:"
RESULT_CHARS = 900_000


def before(variables: Mapping[str, Any]) -> str:
    """Return code that gives the variables their values."""
    told = json.dumps(json.dumps(dict(variables), ensure_ascii=False))
    return f"import json as _json\nglobals().update(_json.loads({told}))\ndel _json"


AFTER = f"""
def _shown(value):
    import datetime as _d
    for name, arguments in (("to_dict", {{"orient": "records"}}), ("tolist", {{}}), ("item", {{}})):
        if hasattr(value, name):
            try:
                return getattr(value, name)(**arguments)
            except (TypeError, ValueError):
                pass
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, (set, tuple)):
        return list(value)
    if isinstance(value, (_d.date, _d.datetime)):
        return value.isoformat()
    return str(value)

def _plain(value):
    if isinstance(value, dict):
        return {{str(name): _plain(each) for name, each in value.items()}}
    if isinstance(value, (list, tuple, set)):
        return [_plain(each) for each in value]
    if isinstance(value, float) and value != value:
        return None
    if value is None or isinstance(value, (str, int, float, bool)) and type(value).__module__ == "builtins":
        return value
    shown = _shown(value)
    return shown if isinstance(shown, str) else _plain(shown)

def _told():
    import json
    return json.dumps(_plain(globals().get("result")), ensure_ascii=False)

print({MARK!r} + _told())
"""
"""Code that prints the value of `result` as JSON behind `MARK`."""


def result_in(printed: str) -> Any:
    """Return what `AFTER` has printed. Raises `ValueError`."""
    _, found, told = printed.rpartition(MARK)
    if not found:
        raise ValueError(MARK)
    return json.loads(told, parse_constant=lambda _: None)
