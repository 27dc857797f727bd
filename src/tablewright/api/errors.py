"""Maps errors to HTTP responses: a status and `{error: {code, message, field?}}` in the caller's language."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from tablewright import errors
from tablewright.api.languages import language_for, preferred_language
from tablewright.api.schemas.native import ErrorBody, Fault
from tablewright.domain.language import Language
from tablewright.texts.errors import Params, error_text
from tablewright.texts.validation import problem

log = logging.getLogger(__name__)

STATUSES: Mapping[type[errors.TablewrightError], int] = {
    errors.CallerError: 400,
    errors.InvalidInput: 422,
    errors.FormatUnsupported: 415,
    errors.FileTooLarge: 413,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Unauthorized: 401,
    errors.Forbidden: 403,
    errors.Busy: 503,
    errors.ModelUnknown: 422,
    errors.AnswerUnreadable: 422,
    errors.TokenLimitExceeded: 422,
    errors.ExpressionInvalid: 422,
    errors.WorkflowInvalid: 422,
    errors.InputMissing: 422,
    errors.WorkflowAbsent: 404,
    errors.ConversationUnusable: 422,
    errors.WorkflowUnknown: 404,
    errors.ModelCannotWrite: 422,
    errors.ModelError: 502,
    errors.ModelOverloaded: 503,
    errors.ModelTimeout: 504,
    errors.PdfUnavailable: 503,
    errors.PdfFailed: 503,
    errors.SandboxUnavailable: 503,
    errors.SecretsUnreadable: 503,
    errors.ReadersUnavailable: 503,
    errors.StorageFull: 507,
    errors.StorageUnwritable: 507,
    errors.StoreUnavailable: 503,
}
"""HTTP status by error class. The nearest class in the MRO decides; errors without an entry are a 500."""

CODES = {
    404: "path_unknown",
    405: "method_not_allowed",
    408: "request_slow",
    413: "body_too_large",
    415: "media_type_wrong",
    429: "too_many_connections",
}
BODY_BYTES = 2 * 1024**2
"""The maximum size of a request without a file."""
BODIES: Mapping[str, int] = {
    "/api/v1/excel/operations": 16 * 1024**2,
    "/v1/chat/completions": 36 * 1024**2,
    "/agui": 36 * 1024**2,
    "/v1/file_tool/upload_file": 36 * 1024**2,
}
"""Larger limits for paths whose requests carry a workbook's cells, or a whole chat with its files."""
WORDS = ("text", "query", "prompt", "content", "task")
"""The fields of bodies in which a person's words stand."""


def status_of(error: errors.TablewrightError) -> int:
    """Return the HTTP status of `error`: that of its nearest class in `STATUSES`."""
    return next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 500)


def error_response(
    status: int, code: str, language: Language, params: Params | None = None, *, field: str | None = None
) -> Response:
    """Build an error response."""
    fault = Fault(code=code, message=error_text(code, language, params), field=field)
    headers: dict[str, str] = {"content-language": language}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = "Bearer"
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["retry-after"] = "2"
    content = ErrorBody(error=fault).model_dump(exclude_none=True)
    return JSONResponse(content, status, headers=headers)


def respond(error: errors.TablewrightError, language: Language) -> Response:
    """Return the response to a `TablewrightError`; errors that are not the caller's fault are logged."""
    status = status_of(error)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("request failed: %s", error, exc_info=error if status == 500 else None)
    return error_response(status, error.code, language, error.params, field=error.field)


async def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.TablewrightError)
    return respond(error, await language_for(request))


async def _not_valid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    kind = str(first["type"])
    place = [str(part) for part in first["loc"]]
    if place and place[0] in {"body", "query", "path", "header"}:  # where it was sent; a field may have such a name
        del place[0]
    field = "body" if kind == "json_invalid" or not place else ".".join(place)
    params: Params = {"detail": "request_field_wrong", "field": field, **problem(kind, first.get("ctx", {}))}
    language = _language_said(error.body) or await language_for(request, _words(error.body))
    return error_response(422, "invalid_input", language, params, field=field)


def _language_said(body: object) -> Language | None:
    """Return the language named in a body's `context`, as in requests of the workbook rounds."""
    context = body.get("context") if isinstance(body, dict) else None
    named = context.get("language") if isinstance(context, dict) else None
    return preferred_language(named.replace("_", "-"), None) if isinstance(named, str) else None


def _words(body: object) -> str:
    """Return what a body says in a person's words, under the names that the faces have for it."""
    said = (body.get(name) for name in WORDS) if isinstance(body, dict) else ()
    return next((one for one in said if isinstance(one, str)), "")


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = CODES.get(error.status_code, "invalid_input")
    if error.status_code == HTTPStatus.BAD_REQUEST:  # only raised for a body that is not JSON
        return error_response(422, code, await language_for(request), {"detail": "body_not_json"}, field="body")
    params: Params = {
        "path": request.url.path,
        "method": request.method,
        "detail": str(error.detail),
        "limit_bytes": BODIES.get(request.url.path, BODY_BYTES),
    }
    response = error_response(error.status_code, code, await language_for(request), params)
    response.headers.update(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and (methods := methods_of(request)):
        response.headers["allow"] = ", ".join(methods)
    return response


def methods_of(request: Request) -> tuple[str, ...]:
    """Return the methods that the path of `request` takes; a router names only those of its first route."""
    app: FastAPI = request.app
    paths: Mapping[str, Mapping[str, object]] = app.openapi()["paths"]
    if request.url.path in paths:  # a word where others have an id
        return tuple(sorted(method.upper() for method in paths[request.url.path]))
    fitting = (methods for path, methods in paths.items() if _fits(path, request.url.path))
    return tuple(sorted({method.upper() for methods in fitting for method in methods}))


def _fits(template: str, path: str) -> bool:
    """Return whether `path` is one of `template`: a name in braces is a part without slashes."""
    parts, given = template.split("/"), path.split("/")
    if len(parts) != len(given):
        return False
    pairs = zip(parts, given, strict=True)
    return all(part == one or (part.startswith("{") and bool(one)) for part, one in pairs)


async def _unexpected(request: Request, error: Exception) -> Response:
    log.error("unexpected error in %s %s", request.method, request.url.path, exc_info=error)
    return error_response(500, "internal", await language_for(request))


async def _gone(_request: Request, _error: Exception) -> Response:
    """A client that left in the middle of its request, or was too slow; nobody reads this."""
    return Response(status_code=HTTPStatus.REQUEST_TIMEOUT)


def install(app: FastAPI) -> None:
    """Register handlers so that `app` answers every error in this form."""
    app.add_exception_handler(errors.TablewrightError, _ours)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _unexpected)
