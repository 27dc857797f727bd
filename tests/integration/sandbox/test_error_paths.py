"""What the errors of code say of the machine that it runs on."""

from __future__ import annotations

import pytest

from tablewright.sandbox.base import ErrorOutput, Session
from tablewright.sandbox.conformance.examples import one, run

CODE = (
    "import json\nimport pandas as pd\ntry:\n    json.loads('{')\nexcept ValueError:\n    pd.DataFrame({'a': [1]})['b']"
)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_traceback_through_libraries_names_their_files_and_not_their_folders(session: Session) -> None:
    error = one(await run(session, CODE), ErrorOutput)
    assert "pandas/core/" in error.traceback
    assert "json/decoder.py" in error.traceback
    assert "site-packages" not in error.traceback
    assert "/lib/python" not in error.traceback
