"""Errors in a person's words: the message of the code, with its remedy, in their language."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.errors import Parameter, TablewrightError
from tablewright.texts.catalogue import Language, catalogue, text

UNKNOWN = "detail_unknown"
WHOLE = frozenset({"message"})
"""Params that are sentences of their own."""
LISTS = frozenset({"supported", "known"})
"""Params that are lists, joined as English does it."""
NAMED = frozenset({"kind", "what", "source"})
"""Params whose values are names of ours, with messages that begin with the param's name."""
Params = Mapping[str, Parameter]


def error_text(code: str, language: Language, params: Params | None = None) -> str:
    """Say what `code` means and what to do; an unknown code reads as `internal`."""
    messages = catalogue(language)
    told = text(code if code in messages else TablewrightError.code, language, **shown_params(language, params))
    return told.replace("?. ", "? ").replace("？。", "？")


def shown_params(language: Language, params: Params | None) -> dict[str, str | int | float]:
    """Return what fills a message's placeholders, as a person reads it.

    A `detail`, `problem` or `expected` that is itself a code of the catalogue is translated, and so is a `kind`, `what`
    or `source` that has a message `kind_…`, `what_…` or `source_…`. Without a `detail`, `words` take its place. Lists
    are joined as the language does it. A size in bytes is also given in MB (`limit_mb`).
    """
    messages = catalogue(language)
    given = {name: value for name, value in (params or {}).items() if value is not None}
    shown = {name: value if name in WHOLE else _one_line(value) for name, value in given.items()}
    if (limit := shown.get("limit_bytes")) is not None:
        shown["limit_mb"] = f"{round(float(limit) / 1024**2, 1):g}"
    for name in NAMED & shown.keys():
        if (code := f"{name}_{shown[name]}".replace(" ", "_")) in messages:
            shown[name] = messages[code]
    for name in LISTS & shown.keys() if language == "zh" else ():
        shown[name] = str(shown[name]).replace(", ", "、")
    if (expected := shown.get("expected")) in messages:
        shown["expected"] = text(str(expected), language, **shown)
    if (problem := shown.get("problem")) in messages:
        shown["problem"] = text(str(problem), language, **shown).rstrip(".。")
    detail = shown.get("detail") or ("" if shown.get("words") else UNKNOWN)
    if detail in messages:
        shown["detail"] = text(str(detail), language, **shown)
    elif not detail:
        shown["detail"] = shown["words"]
    return shown


def _one_line(value: str | float) -> str | float:
    return " ".join(value.split()).rstrip(".") if isinstance(value, str) else value


def describe(error: TablewrightError, language: Language) -> str:
    """Say what `error` means and what to do."""
    return error_text(error.code, language, error.params)
