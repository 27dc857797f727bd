"""Attacks on what the kernel holds and tells, past limits and rules on files: name → permitted endings, code."""

from __future__ import annotations

Rows = dict[str, tuple[str, str]]

_CALLS = """
import ctypes, errno, mmap, os, platform, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
FAILED = (None, ctypes.c_void_p(-1).value)
ANONYMOUS = 0x22
"""

KERNEL: Rows = {
    "buffers of sockets": (
        "error",
        """
import socket
kept = []
while len(kept) < 200:
    one, other = socket.socketpair()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20)
    one.setblocking(False)
    kept += [one, other]
print('BREACH')
""",
    ),
    "larger pipes": (
        "ok",
        """
import fcntl, os
held, count = [], 0
try:
    while True:
        reading, writing = os.pipe2(os.O_NONBLOCK)
        held.append(writing)
        try:
            fcntl.fcntl(writing, 1031, 1 << 20)
            print('BREACH')
        except OSError:
            pass
        try:
            while True:
                count += os.write(writing, bytes(1 << 16))
        except BlockingIOError:
            pass
except OSError as error:
    print(error, len(held), count)
if count > 64 << 20:
    print('BREACH', count)
""",
    ),
    "pages of files kept in pipes": (
        "ok",
        f"""{_CALLS}
with open('kept', 'wb') as file:
    file.write(bytes(1 << 20))
file = os.open('kept', os.O_RDONLY)
reading, writing = os.pipe2(os.O_NONBLOCK)
more = os.pipe2(os.O_NONBLOCK)
splice, tee, sendfile = (275, 276, 40) if platform.machine() == 'x86_64' else (76, 77, 71)
for number, arguments in ((splice, (file, None, writing, None, 4096, 2)), (sendfile, (writing, file, None, 4096)),
                          (tee, (reading, more[1], 4096, 2))):
    if libc.syscall(ctypes.c_long(number), *arguments) > 0:
        print('BREACH', number)
""",
    ),
    "page tables of memory that is never written": (
        "ok",
        f"""{_CALLS}
tables, size = 0, 1 << 40
while size >= 1 << 30:
    base = libc.mmap(None, size, mmap.PROT_READ, ANONYMOUS | 0x4000, -1, 0)
    if base in FAILED:
        size >>= 1
        continue
    libc.madvise(ctypes.c_void_p(base), ctypes.c_size_t(size), 15)
    for offset in range(0, min(size, 256 << 30), 2 << 20):
        ctypes.c_char.from_address(base + offset).value
        tables += 4096
    if tables > 200 << 20:
        print('BREACH', tables)
        break
""",
    ),
    "mappings that grow down": (
        "error",
        f"""{_CALLS}
base = libc.mmap(None, 3 << 30, 3, ANONYMOUS | 0x100, -1, 0)
if base in FAILED:
    raise OSError(ctypes.get_errno(), 'refused')
ctypes.memset(base, 1, 3 << 30)
print('BREACH')
""",
    ),
    "huge pages of the host's reserve": (
        "error",
        f"""{_CALLS}
if libc.mmap(None, 2 << 20, 3, ANONYMOUS | 0x40000, -1, 0) in FAILED:
    raise OSError(ctypes.get_errno(), 'refused')
print('BREACH')
""",
    ),
    "a first stack without end": (
        "ok",
        """
import resource
for wanted in (resource.RLIM_INFINITY, 1 << 34):
    try:
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, wanted))
        print('BREACH')
    except (OSError, ValueError) as error:
        print(error)
if resource.getrlimit(resource.RLIMIT_STACK)[1] > 64 << 20:
    print('BREACH')
""",
    ),
    "locks on ranges of a file": (
        "ok error",
        """
import fcntl, struct
one, other = open('locked', 'w+b'), open('locked', 'r+b')
for start in range(0, 200_000, 2):
    fcntl.fcntl(one, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, start, 1, 0))
found = struct.unpack('hhqqi4x', fcntl.fcntl(other, 36, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 0, 0, 0)))
if found[0] != fcntl.F_UNLCK:
    print('BREACH', found)
""",
    ),
    "entries of epoll": (
        "ok error",
        """
import os, select
held, count = [], 0
try:
    polls = [select.epoll() for _ in range(60)]
    numbers = [os.dup(0) for _ in range(60)]
    for _ in range(60):
        reading, writing = os.pipe()
        os.close(writing)
        for number in numbers:
            os.dup2(reading, number)
            for poll in polls:
                poll.register(number, select.EPOLLIN)
                count += 1
except OSError as error:
    print(error)
if count > 300_000:
    print('BREACH', count)
""",
    ),
    "small threads without end": (
        "ok oom_killed oom",
        """
import threading
threading.stack_size(32768)
held = threading.Event()
started = 0
try:
    while started < 20_000:
        threading.Thread(target=held.wait, daemon=True).start()
        started += 1
    print('BREACH')
except RuntimeError as error:
    print(error, started)
finally:
    held.set()
""",
    ),
    "rings, keys and other holders of memory": (
        "ok",
        f"""{_CALLS}
x86 = dict(io_uring_setup=425, add_key=248, keyctl=250, inotify_init1=294, inotify_init=253, timer_create=222,
           timerfd_create=283,
           signalfd4=289, mq_open=240, msgget=68, semget=64, shmget=29, io_setup=206, userfaultfd=323, memfd_create=319,
           vmsplice=278, landlock_create_ruleset=444, seccomp=317, fanotify_init=300, mlock2=325,
           remap_file_pages=216, mbind=237)
arm = dict(io_uring_setup=425, add_key=217, keyctl=219, inotify_init1=26, timer_create=107,
           timerfd_create=85, signalfd4=74,
           mq_open=180, msgget=186, semget=190, shmget=194, io_setup=0, userfaultfd=282, memfd_create=279, vmsplice=75,
           landlock_create_ruleset=444, seccomp=277, fanotify_init=262, mlock2=284, remap_file_pages=234, mbind=235)
for name, number in (x86 if platform.machine() == 'x86_64' else arm).items():
    refused = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 4) == -1
    if not refused or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
        print('BREACH', name)
""",
    ),
}

_TARGETS = "('$secret', '$other_folder/work/other.txt', '$other_folder/shared/other.csv', '/data/shared/other.csv')"

EMPTYING: Rows = {
    "emptying files by their path": (
        "ok",
        f"""{_CALLS}
for target in {_TARGETS}:
    for act in (os.truncate, lambda path, size: libc.truncate(path.encode(), ctypes.c_long(size)) and os.strerror(99)):
        try:
            if act(target, 0) is None:
                print('BREACH', target)
        except OSError as error:
            print(error)
""",
    ),
    "emptying files by opening them to read": (
        "ok",
        f"""
import os
for target in {_TARGETS}:
    for flags in (os.O_RDONLY | os.O_TRUNC, os.O_RDONLY | os.O_TRUNC | os.O_CREAT):
        try:
            os.close(os.open(target, flags))
            print('BREACH', target)
        except OSError as error:
            print(error)
""",
    ),
    "emptying files by opening them for nothing": (
        "ok",
        f"""
import os
for target in {_TARGETS}:
    for flags in (3, 3 | os.O_TRUNC):
        try:
            os.close(os.open(target, flags))
            print('BREACH', target)
        except OSError as error:
            print(error)
""",
    ),
    "emptying files by flags that lie in memory": (
        "ok",
        f"""{_CALLS}
for target in {_TARGETS}:
    how = (ctypes.c_uint64 * 3)(os.O_TRUNC, 0, 0)
    if libc.syscall(ctypes.c_long(437), ctypes.c_long(-100), target.encode(), how, ctypes.c_long(24)) >= 0:
        print('BREACH', target)
""",
    ),
}

TELLING: Rows = {
    "the host's network and mounts in /proc": (
        "ok",
        """
import glob, os
for place in ('/proc/self/', '/proc/thread-self/', '/proc/1/', f'/proc/self/task/{os.getpid()}/', '/proc/'):
    for name in ('net/tcp', 'net/tcp6', 'net/unix', 'net/route', 'mountinfo', 'mounts', 'mountstats'):
        try:
            text = open(place + name).read()
        except OSError as error:
            continue
        if f'{$port:04X}' in text or os.path.dirname('$other_folder') in text or '@' in text and 'unix' in name:
            print('BREACH', place + name)
""",
    ),
    "which processes of the host live": (
        "ok",
        """
import os
for ask in (os.getpgid, os.getsid, os.sched_getaffinity, os.sched_getscheduler, os.sched_getparam,
            lambda process: os.getpriority(os.PRIO_PROCESS, process), lambda process: os.kill(process, 0)):
    try:
        ask($service)
        print('BREACH', ask)
    except OSError as error:
        print(error)
""",
    ),
    "the host's control groups": (
        "ok",
        """
import os
for folder, _, names in os.walk('/sys/fs/cgroup'):
    for name in names:
        if name in ('cgroup.procs', 'tasks', 'memory.usage_in_bytes', 'memory.current'):
            try:
                text = open(f'{folder}/{name}').read()
            except OSError:
                continue
            if '$service' in text.split():
                print('BREACH', folder, name)
""",
    ),
    "pages that others have read": (
        "ok",
        """
import ctypes, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
if libc.mincore(ctypes.c_void_p(address), ctypes.c_size_t(4096), ctypes.create_string_buffer(1)) == 0:
    print('BREACH')
file = os.open(os.__file__, os.O_RDONLY)
try:
    os.preadv(file, [bytearray(10)], 0, os.RWF_NOWAIT)
    print('BREACH')
except OSError as error:
    print(error)
if libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(4096), 12) == 0:
    print('BREACH')
""",
    ),
}
