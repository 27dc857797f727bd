"""The language in which a request wants its answer."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from tablewright.domain.language import Language


def preferred_language(accepted: str, default: Language = "en") -> Language:
    """Read an `Accept-Language` header: the best weighted of zh and en, the first among equals."""
    best: tuple[float, Language] | None = None
    for entry in accepted.split(","):
        tag, _, rest = entry.strip().partition(";")
        primary = tag.strip().lower().split("-")[0]
        language: Language | None = "zh" if primary == "zh" else "en" if primary == "en" else None
        weight = _weight(rest)
        if language is not None and weight > 0 and (best is None or weight > best[0]):
            best = (weight, language)
    return best[1] if best else default


def _weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0


def language_of_request(request: HTTPConnection, default: Language = "en") -> Language:
    """Return the language of the request's `Accept-Language`, else `default`."""
    return preferred_language(request.headers.get("accept-language", ""), default)
