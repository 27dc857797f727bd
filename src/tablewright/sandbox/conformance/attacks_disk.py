"""Attacks on the disk, by space and by folders, and with locks: name → permitted endings, code."""

from __future__ import annotations

Rows = dict[str, tuple[str, str]]

DISK: Rows = {
    "a file of 2 GB": (
        "error disk",
        (
            "with open('big', 'wb') as file:\n    for _ in range(2048):\n"
            "        file.write(bytes(1 << 20))\nprint('BREACH')"
        ),
    ),
    "a sparse file of a terabyte": (
        "error",
        "import os\nos.truncate(open('big', 'wb').fileno(), 1 << 40)\nprint('BREACH')",
    ),
    "many files of nothing but holes": (
        "disk",
        """
import time
for number in range(20):
    with open(f'f{number}', 'wb') as file:
        file.truncate(60 << 20)
time.sleep(10)
""",
    ),
    "many large files": (
        "disk error",
        (
            "block = bytes(8 << 20)\nfor number in range(400):\n"
            "    with open(f'f{number}', 'wb') as file:\n        file.write(block)"
        ),
    ),
    "many small files": (
        "disk error",
        "import time\nfor number in range(20_000):\n    open(f'f{number}', 'w').close()\ntime.sleep(10)",
    ),
    "many small temporary files": (
        "disk error",
        """
import tempfile, time
for number in range(20_000):
    open(f'{tempfile.gettempdir()}/f{number}', 'w').close()
time.sleep(10)
""",
    ),
    "a folder that cannot be counted": (
        "disk error",
        """
import os, time
for _ in range(200):
    os.mkdir('d')
    os.chdir('d')
time.sleep(10)
""",
    ),
    "space reserved in deleted files": (
        "disk error",
        """
import os, time
kept = []
for number in range(24):
    kept.append(os.open('f', os.O_RDWR | os.O_CREAT))
    os.unlink('f')
    os.posix_fallocate(kept[-1], 0, 200 << 20)
print('BREACH', sum(os.fstat(file).st_blocks for file in kept) // 2048, 'MB')
""",
    ),
    "space reserved under names": (
        "disk error",
        """
import os
for number in range(24):
    os.posix_fallocate(os.open(f'f{number}', os.O_RDWR | os.O_CREAT), 0, 200 << 20)
print('BREACH')
""",
    ),
    "space reserved past the end": (
        "disk error",
        """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
held = 0
for number in range(24):
    file = os.open(f'f{number}', os.O_RDWR | os.O_CREAT)
    for mode in (1, 0, 16, 3):
        libc.fallocate(file, mode, ctypes.c_long(0), ctypes.c_long(200 << 20))
    held += os.fstat(file).st_blocks * 512
if held > 400 << 20:
    print('BREACH', held)
raise OSError('nothing was reserved')
""",
    ),
    "deleted files that are kept open": (
        "disk error",
        """
import os
kept, block = [], bytes(8 << 20)
for number in range(100):
    kept.append(os.open('f', os.O_RDWR | os.O_CREAT))
    os.unlink('f')
    for _ in range(8):
        os.write(kept[-1], block)
print('BREACH', sum(os.fstat(file).st_blocks for file in kept) // 2048, 'MB')
""",
    ),
    "deleted files that are only mapped": (
        "disk error",
        """
import ctypes, os
libc, block = ctypes.CDLL(None, use_errno=True), bytes(8 << 20)
libc.mmap.restype = ctypes.c_void_p
for number in range(100):
    file = os.open('f', os.O_RDWR | os.O_CREAT)
    os.unlink('f')
    for _ in range(8):
        if os.write(file, block) != len(block):
            raise OSError('full')
    libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file, ctypes.c_long(0))
    os.close(file)
print('BREACH')
""",
    ),
    "deleted files on their way through a socket": (
        "disk error",
        """
import os, socket
ours, theirs = socket.socketpair()
block = bytes(8 << 20)
for number in range(100):
    file = os.open('f', os.O_RDWR | os.O_CREAT)
    os.unlink('f')
    for _ in range(8):
        os.write(file, block)
    socket.send_fds(ours, [b'x'], [file])
    os.close(file)
print('BREACH')
""",
    ),
    "a deleted file filled through its mapping": (
        "disk error crashed",
        """
import mmap, os
kept = []
for number in range(24):
    file = os.open('f', os.O_RDWR | os.O_CREAT)
    os.unlink('f')
    os.ftruncate(file, 200 << 20)
    pages = mmap.mmap(file, 200 << 20)
    for at in range(0, 200 << 20, 4096):
        pages[at] = 1
    kept.append(pages)
print('BREACH')
""",
    ),
}

FOLDERS: Rows = {
    "folders deeper than any path": (
        "ok disk",
        """
import os
for chain in range(50):
    os.makedirs(f'c{chain}' + '/d' * 27)
for chain in reversed(range(49)):
    top, bottom = os.open('.', os.O_RDONLY), os.open(f'c{chain}' + '/d' * 27, os.O_RDONLY)
    os.rename(f'c{chain + 1}', 'next', src_dir_fd=top, dst_dir_fd=bottom)
    os.close(top)
    os.close(bottom)
""",
    ),
    "a working folder at the bottom of the deepest": (
        "ok disk",
        """
import os
for _ in range(1500):
    os.mkdir('d')
    os.chdir('d')
open('kept', 'w').write('x')
""",
    ),
    # 3,600 folders are more than a bounded filesystem holds: the watch ends it, or the code meets the bound first
    "deep folders that nobody may enter": (
        "ok error disk",
        """
import os
top = os.open('.', os.O_RDONLY)
for _ in range(1200):
    os.mkdir('d', 0o700, dir_fd=top)
    next_one = os.open('d', os.O_RDONLY, dir_fd=top)
    os.mkdir('shut', 0, dir_fd=top)
    os.mkdir('blind', 0o300, dir_fd=top)
    os.close(top)
    top = next_one
""",
    ),
    "deep folders of temporary files": (
        "ok disk",
        """
import os, tempfile
os.chdir(tempfile.gettempdir())
for _ in range(1500):
    os.mkdir('d' * 200)
    os.chdir('d' * 200)
""",
    ),
    "names that no text can hold": (
        "ok",
        """
import os
for number in range(200):
    os.mkdir(b'\\xff\\xfe' + bytes([1 + number % 40]) * 200 + str(number).encode())
    os.symlink(b'/' * 4000, b'\\xfflink' + str(number).encode())
""",
    ),
}

LOCKS: Rows = {
    "locks on the libraries of all": (
        "ok error",
        """
import fcntl, glob, os, sys
hidden = glob.glob(sys.prefix + '/.*')
for path in [sys.prefix, sys.prefix + '/pyvenv.cfg', *hidden, os.__file__, '$shared', '/usr', '/dev/null']:
    try:
        fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        print(path, error)
""",
    ),
    "locks without end on its own files": (
        "ok",
        """
import fcntl, os
file = os.open('f', os.O_RDWR | os.O_CREAT)
for at in range(3_000):
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 2 * at)
    fcntl.flock(file, fcntl.LOCK_EX)
os.makedirs('output', exist_ok=True)
fcntl.flock(os.open('output', os.O_RDONLY), fcntl.LOCK_EX)
""",
    ),
    "a lease on what others read": (
        "ok error",
        """
import fcntl, glob, os, sys
for path in [sys.prefix + '/pyvenv.cfg', os.__file__, *glob.glob('$shared/*')]:
    for kind in (fcntl.F_WRLCK, fcntl.F_RDLCK):
        try:
            fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_SETLEASE, kind)
        except OSError as error:
            print(path, error)
        else:
            print('BREACH', path)
""",
    ),
    "a lock on the input that is about to be removed": (
        "ok error",
        """
import fcntl, os
for folder in ('$shared', '.', '..'):
    try:
        fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        print(folder, error)
""",
    ),
}
