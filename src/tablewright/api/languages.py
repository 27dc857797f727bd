"""The language in which to answer a request."""

from __future__ import annotations

import logging
from typing import cast, overload

from starlette.requests import HTTPConnection, Request

from tablewright.domain.language import Language, language_of
from tablewright.errors import TablewrightError

log = logging.getLogger(__name__)


@overload
def preferred_language(accepted: str, default: Language = "en") -> Language: ...
@overload
def preferred_language(accepted: str, default: None) -> Language | None: ...
def preferred_language(accepted: str, default: Language | None = "en") -> Language | None:
    """Return the preferred one of zh and en in an `Accept-Language` header: the highest weight, the first among equals.

    Returns `default` if neither is accepted.
    """
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
    """Return the language of the request's `Accept-Language` header, or else `default`."""
    return preferred_language(request.headers.get("accept-language", ""), default)


async def language_for(request: Request, words: str = "") -> Language:
    """Return the request's language, or else that of the conversation or run it is about, or else that of the words
    which it says, or else en."""
    asked = preferred_language(request.headers.get("accept-language", ""), None)
    if asked is not None or "tablewright.scope" not in request.scope:
        return asked or language_of(words)
    app, scope = request.app.state.app, request.scope["tablewright.scope"]
    named = {**request.query_params, **request.path_params}
    try:
        if (conversation_id := named.get("conversation_id")) is not None:
            return cast(Language, (await app.conversations.get(scope, str(conversation_id))).language)
        if (run_id := named.get("run_id")) is not None:
            return cast(Language, (await app.runs.get(scope, str(run_id))).language)
    except TablewrightError:
        log.debug("the language of %s is not known", request.url.path)
    return language_of(words)
