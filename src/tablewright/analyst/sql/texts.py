"""Texts as pandas compares them: without the blanks around them, in lower case."""

from __future__ import annotations

from sqlglot import exp

BLANKS = "".join(char for char in map(chr, range(0x3001)) if char.isspace())
"""What `str.strip` takes off."""


def is_writable(text: str) -> bool:
    """Return whether every server changes the case of these letters as Python does."""
    return all(char.isascii() or char.lower() == char.upper() for char in text)


def folded(of: exp.Expr, dialect: str, *, cased: bool) -> exp.Expr:
    """Return texts without blanks around them, in lower case if `cased`."""
    trimmed = _trimmed(of.copy(), dialect)
    return exp.Lower(this=trimmed) if cased else trimmed


def lowered(of: exp.Expr) -> exp.Expr:
    """Return texts in lower case."""
    return exp.Lower(this=of.copy())


def containing(of: exp.Expr, part: str) -> exp.Expr:
    """Return whether texts contain a part."""
    found = exp.StrPosition(this=exp.paren(of), substr=exp.Literal.string(part))
    return exp.GT(this=found, expression=exp.Literal.number(0))


def starting(of: exp.Expr, part: str, dialect: str) -> exp.Expr:  # noqa: ARG001  # as `ending`
    """Return whether texts start with a part."""
    head = exp.Substring(this=of, start=exp.Literal.number(1), length=exp.Literal.number(len(part)))
    return exp.EQ(this=head, expression=exp.Literal.string(part))


def ending(of: exp.Expr, part: str, dialect: str) -> exp.Expr:
    """Return whether texts end with a part."""
    length = exp.Literal.number(len(part))
    tail: exp.Expr = exp.Right(this=of, expression=length)
    if dialect == "sqlite":
        tail = exp.Anonymous(this="SUBSTR", expressions=[of, exp.Neg(this=length)])
    return exp.EQ(this=tail, expression=exp.Literal.string(part))


def _trimmed(of: exp.Expr, dialect: str) -> exp.Expr:
    if dialect == "mysql":
        pattern = exp.Literal.string(f"^[{BLANKS}]+|[{BLANKS}]+$")
        return exp.RegexpReplace(this=of, expression=pattern, replacement=exp.Literal.string(""))
    return exp.Trim(this=of, expression=exp.Literal.string(BLANKS), position="BOTH")
