"""The links of a report: to files that the conversation has, and to those that code left in its folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from tablewright.agent.emission import Emit
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import WarningRaised
from tablewright.domain.naming import is_name_of, storable
from tablewright.domain.structured import LINK_LEFT_OUT, StructuredAnswer
from tablewright.errors import MachineError, TablewrightError
from tablewright.sandbox.base import TOOLS, LeaseScope, Sandbox, SessionFile
from tablewright.tools.base import ToolContext
from tablewright.tools.execution.artifact_delivery import ArtifactDelivery
from tablewright.tools.execution.workspace import Workspace

MOST_MISSING = 20
"""The number of missing files that are reported individually."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLinks:
    """Finds the files that a report offers. `made` are those that the run has delivered, `ran` whether it ran code."""

    made: Sequence[ArtifactRef]
    context: ToolContext
    emit: Emit
    ran: bool

    async def kept(self, answer: StructuredAnswer) -> StructuredAnswer:
        """Return the answer with links to files that the conversation has.

        What the code of the run wrote and has not handed over is delivered, because the report offers it. A link of a
        report that leads nowhere is left out, with a warning.
        """
        if answer.report is None or not answer.download_links:
            known = (self._made(name) or self._given(name) for name in answer.download_links)
            return replace(answer, download_links=tuple(dict.fromkeys(name for name in known if name is not None)))
        sandbox = self.context.sandbox if self.ran else None
        written = None if sandbox is None else await self._written(sandbox)
        links: dict[str, None] = {}
        missing = 0
        for name in answer.download_links:
            # A file of code comes before one that the person gave under the same name: it is the changed one.
            link = self._made(name) or (written and await written.delivered(name)) or self._given(name)
            if link:
                links[link] = None
            elif (missing := missing + 1) <= MOST_MISSING:
                self.emit(WarningRaised(code=LINK_LEFT_OUT, params={"name": storable(name)}))
        return replace(answer, download_links=tuple(links))

    def _made(self, name: str) -> str | None:
        """Return the name of the file of this run that `name` means.

        It may have got a number because its name was taken: it is meant by its own name too.
        """
        made = [file.name for file in reversed(self.made)]
        return name if name in made else next((own for own in made if is_name_of(own, name)), None)

    def _given(self, name: str) -> str | None:
        return name if name in {each.name.rsplit("/", 1)[-1] for each in self.context.inputs} else None

    async def _written(self, sandbox: Sandbox) -> _Written | None:
        """Return the files of the run's session; None if there is none any more."""
        context = self.context
        workspace = Workspace(sandbox, LeaseScope(run_id=context.run_id, scope=TOOLS), context.inputs)
        try:
            files = await (await workspace.session()).files()
        except MachineError:
            raise
        except TablewrightError:
            return None
        delivery = ArtifactDelivery(workspace, context.artifacts, self.emit, context.clock, self.made)
        return _Written(files=files, delivery=delivery)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The files of a session, and their delivery."""

    files: Sequence[SessionFile]
    delivery: ArtifactDelivery

    async def delivered(self, name: str) -> str | None:
        """Deliver the file of this name and return what the conversation calls it; None if there is none."""
        alike = [file for file in self.files if PurePosixPath(file.path).name == name and not file.earlier]
        if not alike:
            return None
        # Of several, the one that stands in the fewest folders.
        first = min(alike, key=lambda file: file.path.count("/"))
        kept = await self.delivery.hand_over(first.path)
        return None if kept is None else kept.name
