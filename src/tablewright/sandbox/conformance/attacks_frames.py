"""Attacks on the connection to the service, with frames that no worker sends: name → permitted endings, code."""

from __future__ import annotations

Rows = dict[str, tuple[str, str]]

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
