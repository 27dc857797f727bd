"""Attacks on memory, processor, time, output and the life of the process: name → permitted endings, code."""

from __future__ import annotations

Rows = dict[str, tuple[str, str]]

MEMORY: Rows = {
    "arrays without end": (
        "oom",
        """
import numpy
kept = []
while True:
    kept.append(numpy.ones(8 * 1024**2))
""",
    ),
    "a growing bytearray": ("oom", "grown = bytearray()\nwhile True:\n    grown += bytes(64 * 1024**2)"),
    "a text of 8 GB": ("oom", "text = 'x' * (8 << 30)"),
    "shared anonymous memory": (
        "error",
        "import mmap\nmemory = mmap.mmap(-1, 4 << 30)\nprint('BREACH')",
    ),
    "shared memory by way of a device": (
        "error",
        "import mmap\nzero = open('/dev/zero', 'r+b')\nmemory = mmap.mmap(zero.fileno(), 4 << 30)\nprint('BREACH')",
    ),
    "a file in memory": ("error", "import os\nos.memfd_create('x')\nprint('BREACH')"),
    "filling the memory file systems": (
        "error disk",
        """
import os
blocks = 0
for folder in ('/dev/shm', '/tmp'):
    try:
        with open(folder + '/fill', 'wb') as file:
            while blocks < 200:
                file.write(bytes(1024**2))
                blocks += 1
    except OSError as error:
        print(folder, error)
if blocks >= 200:
    print('BREACH')
raise OSError('contained')
""",
    ),
}

PROCESSES: Rows = {
    "a fork bomb": ("error", "import os\nwhile True:\n    os.fork()\n    print('BREACH')"),
    "a child by subprocess": ("error", "import subprocess\nsubprocess.run(['id'])\nprint('BREACH')"),
    "a child by spawn": ("error", "import os\nos.posix_spawn('/usr/bin/env', ['env'], {})\nprint('BREACH')"),
    "another program": ("error", "import os\nos.execv('/usr/bin/env', ['env'])"),
    "the shell": ("error", "import os\nos.system('id')\nprint('BREACH')"),
    "processes of a pool": (
        "error",
        "import multiprocessing\nmultiprocessing.get_context('fork').Process(target=print).start()\nprint('BREACH')",
    ),
    "threads without end": (
        "error oom",
        """
import threading
held = threading.Event()
started = 0
try:
    while started < 5000:
        threading.Thread(target=held.wait, daemon=True).start()
        started += 1
    print('BREACH')
finally:
    held.set()
""",
    ),
    "killing others": (
        "ok",
        """
import os, signal
for target in (os.getppid(), -1, 1 if os.getpid() != 1 else 2, $service, 0):
    for number in (signal.SIGTERM, signal.SIGKILL):
        if target == os.getpid():
            continue
        try:
            os.kill(target, number)
            if target:
                print('BREACH', target)
        except OSError as error:
            print(target, error)
""",
    ),
    "signals by way of a descriptor's owner": (
        "error",
        (
            "import fcntl, socket\none, other = socket.socketpair()\nfcntl.fcntl(one, fcntl.F_SETOWN, "
            "$service)\nprint('BREACH')"
        ),
    ),
    "limits of another process": (
        "error",
        "import resource\nresource.prlimit($service, resource.RLIMIT_NOFILE, (3, 3))\nprint('BREACH')",
    ),
    "raising its limits": (
        "ok",
        """
import resource
for kind in (resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE):
    for wanted in (resource.RLIM_INFINITY, 1 << 50):
        try:
            resource.setrlimit(kind, (wanted, wanted))
            print('BREACH', kind)
        except (OSError, ValueError) as error:
            print(kind, error)
""",
    ),
    "surviving its parent": (
        "ok",
        "import ctypes\nif ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0:\n    print('BREACH')",
    ),
}

TIME: Rows = {
    "a loop without end": ("interrupted", "while True:\n    pass"),
    "a long sleep": ("interrupted", "import time\ntime.sleep(1000)"),
    "a regular expression that explodes": ("interrupted killed", "import re\nre.match('(a+)+$$', 'a' * 60 + 'b')"),
    "a representation that never ends": (
        "interrupted",
        "class Slow:\n    def __repr__(self):\n        while True:\n            pass\nSlow()",
    ),
    "an ending that never ends": (
        "ok interrupted killed",
        "class Slow:\n    def __del__(self):\n        while True:\n            pass\nslow = Slow()\ndel slow",
    ),
    "catching every interrupt": (
        "killed",
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
    ),
    "ignoring the signal": (
        "killed",
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True:\n    pass",
    ),
    "blocking the signal": (
        "killed",
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\nwhile True:\n    pass",
    ),
    "stopping itself": (
        "ok killed",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    ),
    "closing the line and going on": (
        "killed",
        """
import os, signal, socket, stat
signal.signal(signal.SIGINT, signal.SIG_IGN)
for descriptor in range(3, 64):
    try:
        if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            socket.socket(fileno=descriptor).shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
while True:
    pass
""",
    ),
    "long work in C": (
        "interrupted killed",
        "import numpy\nwhile True:\n    numpy.linalg.svd(numpy.random.rand(3000, 3000))",
    ),
}

OUTPUT: Rows = {
    "a gigabyte in one print": ("ok oom", "print('x' * (1 << 30))"),
    "a gigabyte past the streams": (
        "ok",
        "import os\nblock = bytes(1 << 20)\nfor _ in range(1024):\n    os.write(1, block)\n;",
    ),
    "many lines": ("ok", "for number in range(200_000):\n    print(number)"),
    "an error of 200 MB": ("error oom", "raise ValueError('x' * (200 << 20))"),
}

ENDINGS: Rows = {
    "leaving at once": ("exited", "import os\nos._exit(3)"),
    "a jump to nowhere": ("crashed", "import ctypes\nctypes.string_at(8)"),
    "aborting": ("crashed", "import os\nos.abort()"),
    "killing itself": (
        "ok crashed",
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    ),
    "a stack of C calls": (
        "crashed error oom",
        "value = ()\nfor _ in range(10_000_000):\n    value = (value,)\nrepr(value)\nhash(value)\n;",
    ),
    "recursion": ("error", "def again():\n    again()\nagain()"),
    "closing every descriptor": ("exited crashed", "import os\nos.closerange(3, 256)"),
    "using up its own processor limit": (
        "crashed cpu",
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True:\n    pass",
    ),
}

REPLACED_CHECK = """
import sys
def check(self, code):
    import os, struct, threading, time
    began = time.monotonic()
$body
    return 'complete'
next(module for name, module in sys.modules.items() if name.endswith('worker.runner')).Runner.check = check
"""
"""Makes the worker's answer to whether code is complete the session's own code; `$body` is what it does besides."""
CHECKS: dict[str, str] = {
    "writing more than its quota": """
for number in range(60):
    with open(f'f{number}', 'wb') as file:
        file.write(bytes(8 << 20))
time.sleep(5)
""",
    "writing more files than its quota": """
for number in range(4_000):
    open(f'f{number}', 'w').close()
time.sleep(5)
""",
    "never answering": """
while True:
    time.sleep(0.01)
""",
    "sending frames without end": """
frame = b'{"kind":"n"}'
for _ in range(90_000):
    os.write(self._emitter._wire._writing, struct.pack('>II', len(frame), 0) + frame)
""",
    "an answer that is none": """
return 'whatever'
""",
}
"""What such an answer does, in the body of a function; after each the session is lost."""
