"""The nearest texts of many, by BM25 over their parts. The only place that knows how the search library searches."""

from __future__ import annotations

from collections.abc import Sequence

from tantivy import Document, Index, Occur, Query, SchemaBuilder

from tablewright.routing.workflows.tokens import KINDS, PartKind, Tokens

WRITER_BYTES = 15_000_000
"""The least that the library takes while it writes; it is given back."""
NUMBER = "number"
BOOSTS: dict[PartKind, float] = {
    "words": 1.0,
    "grams": 0.3,
    "deeds": 1.5,
    "problems": 1.5,
    "things": 1.5,
    "asides": 1.0,
}
"""How much a part of each kind counts in the search, whose order is only preliminary."""


class TextSearch:
    """An index in memory over groups of texts that do not change; making one of 1,000 takes a tenth of a second."""

    def __init__(self, groups: Sequence[Sequence[Tokens]]) -> None:
        builder = SchemaBuilder()
        for kind in KINDS:
            builder.add_text_field(kind, stored=False, tokenizer_name="raw", index_option="freq")
        builder.add_integer_field(NUMBER, stored=False, fast=True)
        self._schema = builder.build()
        index = Index(self._schema)
        writer = index.writer(WRITER_BYTES, 1)
        for number, texts in enumerate(groups):
            parts = {kind: [part for text in texts for part in sorted(text.of(kind))] for kind in KINDS}
            writer.add_document(Document(**parts, number=number))
        writer.commit()
        writer.wait_merging_threads()
        index.config_reader("manual")
        index.reload()
        self._searcher = index.searcher()

    def nearest(self, message: Tokens, limit: int) -> tuple[int, ...]:
        """Return the numbers of the `limit` groups nearest to `message`, the nearest first."""
        terms = [
            (Occur.Should, self._term(kind, part, BOOSTS[kind] * strength))
            for kind in KINDS
            for part, strength in sorted(message.of(kind).items())
        ]
        if not terms:
            return ()
        hits = self._searcher.search(Query.boolean_query(terms), limit, count=False).hits
        numbers = self._searcher.fast_field_values(NUMBER, [address for _, address in hits])
        return tuple(int(number) for number in numbers if number is not None)

    def _term(self, kind: PartKind, part: str, boost: float) -> Query:
        return Query.boost_query(Query.term_query(self._schema, kind, part, "freq"), boost)
