"""Questions that prescribe the form of their answer: the form is a constraint on the result; the task is read by the
words of the lexicon, tag by tag, as cells of results of the algebra."""

from __future__ import annotations
