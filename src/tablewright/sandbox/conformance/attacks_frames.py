"""Attacks on the connection to the service, with frames that no worker sends: name → permitted endings, code."""

from __future__ import annotations

Rows = dict[str, tuple[str, str]]


def _flood(header: str) -> tuple[str, str]:
    """Return the attack that sends 90,000 frames with `header`, a Python expression of their `number`."""
    code = f"""
import json, os, stat, struct
def carries(place):
    try:
        kind = os.fstat(place).st_mode
    except OSError:
        return False
    return stat.S_ISSOCK(kind) or stat.S_ISFIFO(kind)
places = [place for place in range(3, 64) if carries(place)]
for number in range(90_000):
    header = json.dumps({header}).encode()
    for place in list(places):
        frame = memoryview(struct.pack('>II', len(header), 0) + header)
        try:
            while frame:
                frame = frame[os.write(place, frame):]
        except OSError:
            places.remove(place)
"""
    return "protocol", code


FLOODS: Rows = {
    "forged progress without end": _flood(
        "{'kind': 'progress', 'elapsed_s': 1, 'text': f'{number}', 'fraction': None}"
    ),
    "forged files without end": _flood("{'kind': 'file', 'path': f'{number}.csv'}"),
    "forged text without end": _flood("{'kind': 'text', 'stream': 'stderr' if number % 2 else 'stdout', 'text': 'x'}"),
    "forged text that says nothing": _flood("{'kind': 'text', 'stream': 'stdout', 'text': ''}"),
    "forged errors without end": _flood("{'kind': 'error', 'name': 'E', 'message': 'm', 'traceback': 't'}"),
    "forged ends of other executions": _flood("{'kind': 'done', 'id': -1, 'status': 'ok'}"),
    "a flood of everything in turn": _flood(
        "({'kind': 'progress', 'elapsed_s': 1, 'text': '', 'fraction': 0.5}, {'kind': 'file', 'path': 'a'},"
        " {'kind': 'text', 'stream': 'stdout', 'text': 'x'}, {'kind': 'html', 'text': 'x'})[number % 4]"
    ),
}

FRAMES: Rows = {
    "frames of garbage": (
        "protocol",
        """
import os
for descriptor in range(3, 64):
    try:
        os.write(descriptor, b'\\xff' * 64)
    except OSError:
        pass
""",
    ),
    "a frame of deep nesting": (
        "protocol",
        """
import os, struct
header = b'[' * 100_000
for descriptor in range(3, 64):
    try:
        os.write(descriptor, struct.pack('>II', len(header), 0) + header)
    except OSError:
        pass
""",
    ),
    "a frame that claims too much": (
        "protocol",
        """
import os, struct
for descriptor in range(3, 64):
    try:
        os.write(descriptor, struct.pack('>II', 2**31, 2**31))
    except OSError:
        pass
""",
    ),
    "a picture that is none": (
        "protocol",
        """
import json, os, struct
header = json.dumps({'kind': 'image', 'mime': 'text/html'}).encode()
for descriptor in range(3, 64):
    try:
        os.write(descriptor, struct.pack('>II', len(header), 3) + header + b'<b>')
    except OSError:
        pass
""",
    ),
    "a file that is not its own": (
        "protocol",
        """
import json, os, struct
header = json.dumps({'kind': 'file', 'path': '../../../../etc/shadow'}).encode()
for descriptor in range(3, 64):
    try:
        os.write(descriptor, struct.pack('>II', len(header), 0) + header)
    except OSError:
        pass
""",
    ),
    "an end that was none": (
        "ok",
        """
import json, os, struct
usage = {'elapsed_s': 0.0, 'cpu_s': 0.0, 'peak_memory_bytes': 0, 'threads': 1, 'cut_chars': 0}
header = json.dumps({'kind': 'done', 'id': 1, 'status': 'ok', **usage}).encode()
for descriptor in range(3, 64):
    try:
        os.write(descriptor, struct.pack('>II', len(header), 0) + header)
    except OSError:
        pass
""",
    ),
    "an end with figures that nothing has": (
        "protocol",
        """
import os, struct
header = (b'{"kind": "done", "id": 1, "status": "ok", "elapsed_s": NaN, "cpu_s": 0, "threads": 1e999,'
          b' "peak_memory_bytes": Infinity, "cut_chars": 0}')
for descriptor in range(3, 64):
    try:
        os.write(descriptor, struct.pack('>II', len(header), 0) + header)
    except OSError:
        pass
""",
    ),
    "pages without end": (
        "protocol",
        """
import json, os, stat, struct
header = json.dumps({'kind': 'html', 'text': 'x' * 10_000_000}).encode()
for _ in range(40):
    for descriptor in range(3, 64):
        try:
            kind = os.fstat(descriptor).st_mode
            if stat.S_ISSOCK(kind) or stat.S_ISFIFO(kind):
                frame = memoryview(struct.pack('>II', len(header), 0) + header)
                while frame:
                    frame = frame[os.write(descriptor, frame):]
        except OSError:
            pass
""",
    ),
    "small pages without end": (
        "protocol",
        """
import json, os, stat, struct
header = json.dumps({'kind': 'html', 'text': 'x'}).encode()
for _ in range(3_000):
    for descriptor in range(3, 64):
        try:
            kind = os.fstat(descriptor).st_mode
            if stat.S_ISSOCK(kind) or stat.S_ISFIFO(kind):
                os.write(descriptor, struct.pack('>II', len(header), 0) + header)
        except OSError:
            pass
""",
    ),
    "descriptors smuggled to the service": (
        "ok error",
        """
import os, socket
for descriptor in range(3, 64):
    try:
        ours = socket.socket(fileno=os.dup(descriptor))
        socket.send_fds(ours, [b''], [0] * 50)
    except OSError:
        pass
""",
    ),
}
