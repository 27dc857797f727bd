"""The child process that opens users' files: reads a request, answers it, waits for the next.

Run as `python -I -m tablewright.data.worker MODULE…` with an empty environment; the named modules are imported in
advance. Frames on standard input and output consist of a length (4 bytes, big-endian) and that many bytes. A request is
JSON `{operation, path, arguments, memory_bytes, timeout_s}`. The answer is one JSON line, `{"ok": true}` or `{"code",
"detail", "field", "params"}`, then a line break and, after `ok`, the bytes that the operation returned.

Memory is limited with RLIMIT_DATA, which covers what the process can write to, rather than by the address space: the
column engine reserves far more address space than it ever uses, and maps the files it reads.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import struct
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from tablewright.errors import CallerError, FileUnreadable
from tablewright.method_code import METHODS

ENGINE = {
    "POLARS_MAX_THREADS": "2",
    "_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0,retain:false",
}
"""Environment variables for the column engine, read on import.

By default its allocator keeps freed memory, which counts against the limit.
"""
COPY_BYTES = 2 * 1024**3
"""The maximum size of a file that a child process writes (a copy of a text in UTF-8)."""
COLLECT_AFTER = (100_000, 50, 1_000)
"""When a child process looks for garbage: seldom, since the cells of a table are some millions of objects that stay,
and by default half of the time of a plan over them goes into looking at them."""
GRACE_S = 5.0
"""A child process whose parent is gone exits this long after its time limit."""


def main() -> int:
    """Serve requests until standard input ends."""
    requests, answers = _claim_streams()
    os.environ.update(ENGINE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (COPY_BYTES, COPY_BYTES))
    gc.disable()  # what is imported stays
    METHODS.reuse()
    for module in sys.argv[1:]:
        import_module(module)
    METHODS.end()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    gc.enable()
    write_frame(answers, b"ready")
    while (frame := read_frame(requests)) is not None:
        write_frame(answers, _answer(json.loads(frame)))
    return 0


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the next frame, or None at the end of the stream."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    return stream.read(length)


def write_frame(stream: BinaryIO, payload: bytes) -> None:
    """Write one frame."""
    stream.write(struct.pack(">I", len(payload)) + payload)
    stream.flush()


def _claim_streams() -> tuple[BinaryIO, BinaryIO]:
    """Reserve the pipes for frames: anything that a library prints goes to standard error."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return requests, answers


def _answer(request: dict[str, Any]) -> bytes:
    name = str(request["arguments"].get("name", ""))
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (int(request["memory_bytes"]), hard))
    signal.setitimer(signal.ITIMER_REAL, float(request["timeout_s"]) + GRACE_S)
    try:
        module, _, function = str(request["operation"]).partition(":")
        result = getattr(import_module(module), function)(Path(request["path"]), **request["arguments"])
        return b'{"ok": true}\n' + bytes(result)
    except CallerError as error:
        return _failure(error)
    except MemoryError:
        return _failure(FileUnreadable("file_too_much_memory", name=name))
    except Exception as error:  # noqa: BLE001  # whatever a hostile file sets off is an answer, not an accident
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return _failure(FileUnreadable("file_damaged", name=name, cause=type(error).__name__))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _failure(error: CallerError) -> bytes:
    params = {name: value for name, value in error.params.items() if name != "detail"}
    told = {"code": error.code, "detail": error.detail, "field": error.field, "params": params}
    return json.dumps(told).encode() + b"\n"


if __name__ == "__main__":
    sys.exit(main())
