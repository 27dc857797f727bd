"""Tracebacks as people and models see them."""

from __future__ import annotations

import pytest

from tablewright.sandbox.error_paths import without_libraries
from tablewright.sandbox.frames import WorkerFrame, output


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("File ~/.pyenv/versions/3.11.7/lib/python3.11/json/decoder.py:337, in", "File json/decoder.py:337, in"),
        ("File /home/me/my_env/lib/python3.12/site-packages/pandas/core/frame.py:12", "File pandas/core/frame.py:12"),
        ('File "/usr/lib/python3/dist-packages/lxml/etree.pyx", line 3', 'File "lxml/etree.pyx", line 3'),
        ("No such file: '/data/sessions/1/lib.csv'", "No such file: '/data/sessions/1/lib.csv'"),
        ("Cell In[1], line 2\n1/0", "Cell In[1], line 2\n1/0"),
    ],
)
def test_files_of_libraries_begin_with_their_package(said: str, shown: str) -> None:
    assert without_libraries(said) == shown


def test_an_error_of_code_shows_no_folder_of_the_machine() -> None:
    trace = "File /opt/x/.venv/lib/python3.11/site-packages/pandas/io/common.py:873, in get_handle\nKeyError: 'a'"
    header = {"name": "KeyError", "message": "in /opt/x/lib/python3.11/os.py", "traceback": trace}
    error = output(WorkerFrame(kind="error", header=header, blob=b"", size_bytes=0))
    assert "/opt" not in repr(error)
    assert "pandas/io/common.py:873" in repr(error)
