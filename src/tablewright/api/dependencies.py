"""Dependencies of the routes: the application and the scope, language and paging of a request."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Query, Request

from tablewright.api.languages import language_of_request, preferred_language
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.service.app import App


def _app(request: Request) -> App:
    return cast(App, request.app.state.app)


def _scope(request: Request) -> Scope:
    return cast(Scope, request.scope["tablewright.scope"])


def _language(request: Request) -> Language:
    return language_of_request(request)


def _asked_language(request: Request) -> Language | None:
    return preferred_language(request.headers.get("accept-language", ""), None)


Parts = Annotated[App, Depends(_app)]
Caller = Annotated[Scope, Depends(_scope)]
Speech = Annotated[Language, Depends(_language)]
AskedSpeech = Annotated[Language | None, Depends(_asked_language)]
"""The language of the header, None where it names none."""
Limit = Annotated[int, Query(ge=1, le=200)]
Cursor = Annotated[str | None, Query(max_length=500)]
