"""Tags about the highest and lowest: which row or group has it, and its value; which column has it in one row."""

from __future__ import annotations

from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Derive, Filter, Named, Project, Relation, Sort, Tag, Top
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.tagged.form import Wanted
from tablewright.analyst.reading.tagged.models import metric_of
from tablewright.analyst.reading.tagged.scene import Scene
from tablewright.analyst.reading.tagged.statistics import function_in

_HIGH = frozenset({"max", "highest", "maximum", "most", "largest", "top", "best"})
_LOW = frozenset({"min", "lowest", "minimum", "least", "smallest", "worst"})


def ranked(scene: Scene, wanted: Wanted, plain: Offer | None) -> Tag | None:
    """`Which brand has the highest rating?`: the name, all that tie; a second tag is the value that ranks them."""
    if plain is None or plain.family != "ranking" or plain.parse.confidence() < 0.6 or metric_of(wanted) is not None:
        return None
    relation = plain.part.relation
    if not isinstance(relation, Project) or wanted.options:
        return None
    names = {word for column in relation.columns for word in lemmas(column.name)}
    valued = wanted.decimals is not None or function_in(wanted.words) not in {None, "max", "min"} or "value" in wanted.words
    if not valued and (len(scene.form.wanted) == 1 or names & set(wanted.words) or set(wanted.words) & {"name", "names"}):
        return scene.tag(wanted, relation, every=True)
    top = _top(relation)
    if len(scene.form.wanted) > 1 and top is not None and valued:
        value = Project(source=relation.source, columns=(Named(name=top.by, of=Col(name=top.by)),))
        return scene.tag(wanted, value)
    return None


def _top(relation: Relation) -> Top | None:
    below = relation
    while isinstance(below, Project | Sort | Filter | Derive):
        below = below.source
    return below if isinstance(below, Top) else None


def row_of_extreme(scene: Scene, wanted: Wanted) -> Tag | None:
    """`@max_price_city`: the city of the row with the highest price, when the tag's name ends with a column."""
    words = set(wanted.words)
    ends = words & (_HIGH | _LOW)
    numbers = scene.numeric
    if not ends or not numbers:
        return None
    last = wanted.words[-1]
    column = next((facts.name for facts in scene.facts.columns if lemmas(facts.name)[-1:] == (last,)), None)
    if column is None or column == numbers[0] or last in lemmas(numbers[0]):
        return None
    top = Top(source=scene.source_for(wanted), by=numbers[0], count=1, descending=bool(ends & _HIGH))
    return scene.tag(wanted, Project(source=top, columns=(Named(name=column, of=Col(name=column)),)))

