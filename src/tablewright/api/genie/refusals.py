"""Refuses what is said in a session in the language of the session: programs and pages here name none."""

from __future__ import annotations

import logging

from fastapi import Request, Response

from tablewright.api.errors import respond
from tablewright.api.languages import preferred_language
from tablewright.domain.language import Language, language_of
from tablewright.domain.scope import Scope
from tablewright.errors import TablewrightError
from tablewright.service.chats.keyed import KeyedChats

log = logging.getLogger(__name__)


async def refusal(
    error: TablewrightError, request: Request, chats: KeyedChats, caller: Scope, *, face: str, session: str, words: str
) -> Response:
    """Return an error in the language of `Accept-Language`, else of the session, else of what was said."""
    asked = preferred_language(request.headers.get("accept-language", ""), None)
    return respond(error, asked or await _spoken(chats, caller, face, session, words))


async def _spoken(chats: KeyedChats, caller: Scope, face: str, session: str, words: str) -> Language:
    try:
        return await chats.language(caller, face, session, words)
    except TablewrightError:
        log.debug("the language of a session is not known")
        return language_of(words)
