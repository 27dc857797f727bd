"""Extracts the request from a long message with a story around it."""

from __future__ import annotations

import re

_SENTENCES = re.compile(r"(?:(?<=[a-z\d)\"'”’\]][.!?])|(?<=[A-Z]{2}[.!?]))\s+(?=[A-Z\"'“‘])|(?<=[。！？])|\n+")
_FRAME = re.compile(
    r"\b(?:"
    r"how (?:can|do|could|would|should|might) (?:i|we|you|one)(?: (?:quickly|automatically|easily"
    r"|best))?(?: use (?:vba|excel|a macro|a formula|the \w+ (?:function|formula)(?: in excel)?))?(?: to)?"
    r"|how to"
    r"|(?:i|we) (?:need|want|would like|am looking|'d like|am trying|am struggling|require|attempted|wish|have to"
    r"|am attempting|was trying|am seeking|tried)(?: for)?(?: to)?(?: (?:use|create|write|have|get|find|develop|make"
    r"|run) (?:vba|an? (?:\w+ )?(?:macro|formula|script|code|function|way|solution|method)))?(?: (?:code"
    r"|to run)[^,.]*?)?(?: (?:that|which|to)(?: (?:can|will|could|would|should))?)?"
    r"|(?:i|we) need (?:an? |some )?(?:\w+ ){0,3}?(?:macro|formula|script|code|function)(?: in \w+)? (?:that|to"
    r"|which)(?: (?:can|will|would|could))?"
    r"|is there (?:a|any) (?:\w+ )?(?:way|formula|macro|method|function) (?:to|that(?: (?:can|will))?)"
    r"|(?:can|could|would) (?:you|someone|anyone|anybody)(?: please)?(?: (?:help|assist|show|tell)(?: me)?(?: (?:with"
    r"|to|how to))?)?"
    r"|(?:please )?help me(?: (?:to|with))?"
    r"|what (?:formula|function|code|macro) (?:can|should|could|do|would) (?:i|we) use to"
    r")\s+",
    re.IGNORECASE,
)
_STRUGGLE = re.compile(
    r"^(?:to )?(?:use|using) (?:vba|excel|a macro|a formula)(?: code)? to\s+|^to\s+|^(?:quickly|automatically)\s+",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^\W*(?:additionally|furthermore|moreover|also)?,?\s*(?:"
    r"i have|i've|i am using|i'm using|i currently|my |the (?:data|file|attached|sample|workbook|sheet|formula|code"
    r"|values?|result|output|dates?|current|original|length)|this |these |it |its |that |there (?:is|are)|"
    r"for example|for instance|e\.g|currently|however|note|thanks|thank you|attached|see |any |as you|as an? "
    r"|in (?:this|the) (?:example|attached|sample)|if (?:you|possible|needed)|"
    r"by same|other rows|detailed|what i|when i|because|since|so far|hope|sorry|hi\b|hello\b|dear)",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\bnot \w+ing (?:correctly|properly|right)\b|\bthe (?:code|macro|formula) (?:that )?i(?: have|'ve)? (?:tried"
    r"|used|wrote|have)\b",
    re.IGNORECASE,
)
"""A sentence about what was tried and failed, which is not what is wanted."""
_LONG = 30
"""Number of words from which on a message may contain more than a request."""


def request(text: str) -> str:
    """Return what a message asks for; a short message is a request as a whole."""
    text = re.sub(r"\bfind and replace\b", "replace", text, flags=re.IGNORECASE)
    if len(re.findall(r"\w+", text)) < _LONG or re.search(r"[\u4e00-\u9fff]", text):
        return _unframed(text) if text.rstrip().endswith("?") else text
    wanted: list[str] = []
    rest: list[str] = []
    for sentence in (part.strip() for part in _SENTENCES.split(text)):
        if not sentence or _FAILED.search(sentence):
            continue
        framed = _unframed(sentence)
        if framed != sentence and not re.match(r"\W*(?:my|this|it)\b", sentence, re.IGNORECASE):
            wanted.append(framed)
        elif not _AROUND.match(sentence):
            rest.append(sentence)
    return ". ".join(part.rstrip(".?! ") for part in (wanted or rest)) or text


_TOOL = re.compile(
    r"^(?:an? |some |the )?(?:\w+ ){0,2}?(?:macro|script|formula|code|function"
    r"|vba)(?: code)?(?: in \w+)?(?: to run[^,]*?)?,? (?:that|which|to)(?: (?:can|will|would|could"
    r"|should))?(?: be used (?:in|with) \w+(?: \d+)? to)?\s+",
    re.IGNORECASE,
)
_NO_CHANGE = re.compile(
    r"^(?:also )?(?:know|suggest|this|assist|fix|understand|achieve|see|explain|figure)\b", re.IGNORECASE
)


def _unframed(sentence: str) -> str:
    """Return the request inside a phrase such as a polite question, or the sentence itself if there is no such
    phrase."""
    match = _FRAME.search(sentence)
    if match is None:
        return sentence
    found = _TOOL.sub("", _STRUGGLE.sub("", sentence[match.end() :].strip())).strip()
    if len(found) <= 3 or _NO_CHANGE.match(found):
        return sentence
    return found[:1].upper() + found[1:]
