"""The themes of a report, in the order in which they are measured: each writes code and reads what it printed."""

from tablewright.analyst.reporting.themes.base import Theme
from tablewright.analyst.reporting.themes.differences import DIFFERENCES
from tablewright.analyst.reporting.themes.leaders import LEADERS
from tablewright.analyst.reporting.themes.look import LOOK
from tablewright.analyst.reporting.themes.outliers import OUTLIERS
from tablewright.analyst.reporting.themes.relations import RELATIONS
from tablewright.analyst.reporting.themes.time import TIME

FIRST: Theme = LOOK
LATER: tuple[Theme, ...] = (LEADERS, TIME, OUTLIERS, RELATIONS, DIFFERENCES)

__all__ = ["FIRST", "LATER", "Theme"]
