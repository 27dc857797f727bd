"""A shared conversation as one HTML document: no scripts, nothing loaded from elsewhere, everything escaped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from html import escape

from tablewright.domain.language import Language
from tablewright.service.exports.page import FOOT, RunSections, head, plain
from tablewright.service.shares.shared import SharedConversation, SharedRun, SharedTurn
from tablewright.texts.catalogue import text

NOT_LISTED = '\n<meta name="robots" content="noindex, nofollow">\n<meta name="referrer" content="no-referrer">'


def shared_document(shared: SharedConversation) -> str:
    """Return the conversation as a document, in its language."""
    return "\n".join(_lines(shared)) + "\n"


def closed_document(language: Language) -> str:
    """Return what a link shows that opens nothing, whatever the reason."""
    title, words = text("share.page_closed", language), text("share_unknown", language)
    return "\n".join((*head(title, language, NOT_LISTED), f"<h1>{escape(title)}</h1>", f"<p>{escape(words)}</p>", FOOT))


def _lines(shared: SharedConversation) -> Iterator[str]:
    language = shared.conversation.language
    title = shared.conversation.title or text("share.page_untitled", language)
    about = text("share.page_about", language, at=_time(shared.share.created_at), until=_time(shared.share.expires_at))
    yield from head(title, language, NOT_LISTED)
    yield f"<h1>{plain(title)}</h1>\n<p class=about>{escape(about)}</p>"
    if shared.shortened:
        yield f"<p class=about>{escape(text('share.page_shortened', language, count=len(shared.turns)))}</p>"
    for number, turn in enumerate(shared.turns, 1):
        yield from _turn(turn, number)
    yield FOOT


def _turn(turn: SharedTurn, number: int) -> Iterator[str]:
    if turn.author == "assistant":
        yield f"<section><div class=words>{escape(turn.text)}</div></section>"
        return
    yield f'<article class=asked>\n<h2 class=words id="question-{number}">{escape(turn.text)}</h2>'
    if turn.run is not None:
        yield from _run(turn.run, f"question-{number}-")
    yield "</article>"


def _run(shared: SharedRun, prefix: str) -> Iterator[str]:
    """Yield a run; a failure is told without the words of others, which may name places of the machine."""
    run = replace(shared.run, failure=None)
    if shared.run.failure is not None:
        yield f"<p class=failed>{escape(text('share.page_failed', run.language))}</p>"
    yield from RunSections(run, shared.steps, shared.images, prefix).lines(shared.names)


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M UTC")
