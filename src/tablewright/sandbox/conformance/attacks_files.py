"""Attacks on other sessions' files and on the system: name → permitted endings, code."""

from __future__ import annotations

Rows = dict[str, tuple[str, str]]

READING: Rows = {
    "secrets of the host": (
        "ok",
        """
import os
targets = ['/etc/shadow', '/root/.bashrc', '$secret', '/proc/$service/environ', '/proc/$service/mem', '/proc/1/environ',
           '/proc/$service/root/etc/shadow', '/proc/self/root/etc/shadow', '/sys/kernel/notes', '/boot', '/home',
           '/dev/sda']
for target in targets:
    try:
        found = os.listdir(target) if os.path.isdir(target) else open(target, 'rb').read(64)
    except OSError as error:
        print(target, error.strerror)
    else:
        if target == '/proc/1/environ' and os.getpid() == 1:
            continue
        if found:
            print('BREACH', target, found)
""",
    ),
    "its own environment": (
        "ok",
        """
import os
known = {'PATH', 'LANG', 'USER', 'LOGNAME', 'HOME', 'TMPDIR', 'IPYTHONDIR', 'MPLCONFIGDIR', 'MPLBACKEND',
         'MATPLOTLIBRC',
         'LOKY_MAX_CPU_COUNT', 'JOBLIB_MULTIPROCESSING', 'JE_ARROW_MALLOC_CONF', '_RJEM_MALLOC_CONF', 'LC_CTYPE',
         'KMP_DUPLICATE_LIB_OK', 'KMP_INIT_AT_FORK', 'TZ'}
for name in os.environ:
    if name not in known and not name.endswith('_THREADS'):
        print('BREACH', name)
""",
    ),
    "another session's input and files": (
        "ok",
        """
import glob, os
targets = ['/data/shared/other.csv', '/data/sessions/$other', '/data/sessions/$other/other.txt', '/.sessions',
           '/.sessions/$other',
           '/.sessions/$other/shared/other.csv', '$other_folder', '$other_folder/shared/other.csv',
           '$other_folder/work/other.txt',
           '$shared/other.csv', '$shared/../../$other/shared/other.csv', '../$other/other.txt',
           '../../$other/work/other.txt',
           '/proc/self/cwd/../$other/other.txt', '/proc/1/root$other_folder/work/other.txt']
for target in targets:
    try:
        found = os.listdir(target) if os.path.isdir(target) else open(target).read()
    except OSError as error:
        print(target, error.strerror)
    else:
        if found:
            print('BREACH', target, found)
for pattern in ('/.sessions/*', '/data/sessions/*/other.txt', '/**/other.csv'):
    if found := glob.glob(pattern):
        print('BREACH', found)
""",
    ),
    "links to secrets": (
        "ok",
        """
import os
os.symlink('$secret', 'link')
os.symlink('/etc', 'folder')
for act in (lambda: open('link').read(), lambda: open('folder/shadow').read(), lambda: os.link('$secret', 'hard'),
            lambda: os.mkfifo('pipe'), lambda: os.mknod('device', 0o20666, os.makedev(1, 1)), lambda: os.chroot('.')):
    try:
        act()
        print('BREACH')
    except OSError as error:
        print(error)
""",
    ),
    "changing what is not its own": (
        "ok",
        """
import os, sys
target = sys.prefix + '/pyvenv.cfg'
before = os.stat(target)
for act in (lambda: open(target, 'a'), lambda: os.unlink(target), lambda: os.rename(target, target + 'x'),
            lambda: open('/usr/bin/x', 'w'), lambda: os.mkdir('/x'), lambda: open('/etc/passwd', 'a'),
            lambda: os.setxattr(target, 'user.x', b'x')):
    try:
        act()
        print('BREACH')
    except OSError as error:
        print(error)
for act in (lambda: os.chmod(target, 0o777), lambda: os.utime(target, (0, 0)), lambda: os.chown(target, 1, 1)):
    try:
        act()
    except OSError as error:
        print(error)
after = os.stat(target)
if (before.st_mode, before.st_mtime, before.st_uid) != (after.st_mode, after.st_mtime, after.st_uid):
    print('BREACH')
""",
    ),
}

SYSTEM: Rows = {
    "the network": (
        "ok",
        """
import socket
for family, kind, address in ((socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', $port)),
                              (socket.AF_INET, socket.SOCK_STREAM, ('169.254.169.254', 80)),
                              (socket.AF_INET6, socket.SOCK_STREAM, ('::1', $port)),
                              (socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', 53)),
                              (socket.AF_UNIX, socket.SOCK_STREAM, '/run/dbus/system_bus_socket'),
                              (socket.AF_UNIX, socket.SOCK_STREAM, '\\0abstract')):
    try:
        socket.socket(family, kind).connect(address)
        print('BREACH', address)
    except OSError as error:
        print(address, error)
try:
    print('BREACH', socket.getaddrinfo('example.com', 80))
except OSError as error:
    print(error)
""",
    ),
    "calls that only the system's keepers make": (
        "ok",
        """
import ctypes, os, platform
x86 = dict(ptrace=101, process_vm_readv=310, process_vm_writev=311, mount=165, umount2=166, unshare=272, setns=308,
           chroot=161,
           pivot_root=155, bpf=321, perf_event_open=298, keyctl=250, add_key=248, request_key=249, userfaultfd=323,
           io_uring_setup=425, open_by_handle_at=304, name_to_handle_at=303, init_module=175, kexec_load=246,
           reboot=169,
           swapon=167, sethostname=170, settimeofday=164, acct=163, quotactl=179, pidfd_open=434, pidfd_getfd=438,
           kcmp=312,
           memfd_create=319, memfd_secret=447, shmget=29, msgget=68, semget=64, mq_open=240, personality=135, iopl=172,
           vmsplice=278, setuid=105, setgroups=116, capset=126, seccomp=317, clone3=435, fork=57, vfork=58, execve=59,
           execveat=322, socket=41, connect=42, sched_setaffinity=203, setpriority=141, fanotify_init=300, fsopen=430,
           move_mount=429, open_tree=428, mount_setattr=442, landlock_create_ruleset=444, rt_sigqueueinfo=129,
           tkill=200)
arm = dict(ptrace=117, process_vm_readv=270, mount=40, umount2=39, unshare=97, setns=268, chroot=51, pivot_root=41,
           bpf=280,
           perf_event_open=241, keyctl=219, add_key=217, userfaultfd=282, io_uring_setup=425, open_by_handle_at=265,
           reboot=142, pidfd_open=434, memfd_create=279, shmget=194, setuid=146, seccomp=277, clone3=435, execve=221,
           socket=198, sched_setaffinity=122)
libc = ctypes.CDLL(None, use_errno=True)
for name, number in (x86 if platform.machine() == 'x86_64' else arm).items():
    result = libc.syscall(ctypes.c_long(number), ctypes.c_long(0), ctypes.c_long(0), ctypes.c_long(0), ctypes.c_long(0))
    error = ctypes.get_errno()
    if result != -1 or error not in (1, 38):
        print('BREACH', name, result, error)
""",
    ),
    "system calls of the x32 kind": (
        "ok crashed",
        """
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
if platform.machine() == 'x86_64':
    for number in (41, 57, 59):
        if libc.syscall(ctypes.c_long(0x40000000 | number), 0, 0, 0) != -1:
            print('BREACH', number)
""",
    ),
    "system calls by the door of 32-bit programs": (
        "ok crashed",
        """
import ctypes, mmap, platform
if platform.machine() == 'x86_64':
    memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    memory.write(bytes.fromhex('b814000000cd80c3'))  # getpid, interrupt 0x80
    if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))() > 0:
        print('BREACH')
""",
    ),
    "terminal injection": (
        "ok",
        """
import fcntl
for request in (0x5412, 0x541C, 0x8901, 0x8902):
    try:
        fcntl.ioctl(0, request, b'x')
        print('BREACH', request)
    except OSError as error:
        print(error)
""",
    ),
    "regaining privileges": (
        "ok",
        """
import os
status = {}
if os.path.exists('/proc/self/status'):
    status = dict(line.split(':', 1) for line in open('/proc/self/status').read().splitlines())
unbound = status.get('NoNewPrivs', '1').strip() != '1' or status.get('Seccomp', '2').strip() != '2'
if int(status.get('CapEff', '0'), 16) & ~0x6 or unbound:
    print('BREACH', status['CapEff'])
if os.getuid() == 0 or os.getgid() == 0:
    print('BREACH', os.getuid())
for act in (lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0])):
    try:
        act()
        print('BREACH')
    except OSError as error:
        print(error)
""",
    ),
}
