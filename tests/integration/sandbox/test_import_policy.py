"""What the operator lets code import holds for its own imports, not for those of the packages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.bootstrap.sandboxes import sandbox_of
from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.sandbox.base import ErrorOutput
from tablewright.sandbox.conformance.examples import SCOPE, end, one, run
from tablewright.settings.load import load_settings


@pytest.mark.requirement("sandbox-imports-named")
async def test_the_settings_name_what_may_be_imported(tmp_path: Path) -> None:
    given = {"TABLEWRIGHT_SANDBOX__IMPORTS__ONLY": "pandas,json"}
    settings = load_settings(environ=given, folder=tmp_path, user_file=tmp_path / "none").settings.sandbox
    settings = settings.model_copy(
        update={"data": settings.data.model_copy(update={"sessions_path": tmp_path / "state"})}
    )
    sandbox = sandbox_of(settings, SystemClock(), Uuid7Ids(), step_timeout_s=PATIENCE_S, least=True)
    await sandbox.start()
    session = await sandbox.acquire(SCOPE)
    assert end(await run(session, "import json, pandas as pd\npd.DataFrame({'a': [1]}).to_csv()")).status == "ok"
    refused = one(await run(session, "import numpy"), ErrorOutput)
    assert (refused.name, refused.message) == (
        "ImportError",
        "'numpy' may not be imported here. Importable: pandas, json, tw.",
    )
    await sandbox.stop()
