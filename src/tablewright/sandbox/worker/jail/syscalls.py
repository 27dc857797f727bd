"""System call numbers of the two supported architectures: `name x86-64 aarch64`, with `-` for a missing call."""

from __future__ import annotations

ALLOWED = """
    read 0 63 | write 1 64 | readv 19 65 | writev 20 66 | pread64 17 67 | pwrite64 18 68 | preadv 295 69 |
    pwritev 296 70 | creat 85 - | close 3 57 | close_range 436 436 | stat 4 - | fstat 5 80 | lstat 6 - |
    newfstatat 262 79 | statx 332 291 | lseek 8 62 | access 21 - | faccessat 269 48 | faccessat2 439 439 |
    readlink 89 - | readlinkat 267 78 | getcwd 79 17 | chdir 80 49 | fchdir 81 50 | getdents 78 - |
    getdents64 217 61 | dup 32 23 | dup2 33 - | dup3 292 24 | pipe 22 - | pipe2 293 59 | select 23 - |
    pselect6 270 72 | poll 7 - | ppoll 271 73 | epoll_create 213 - | epoll_create1 291 20 | epoll_ctl 233 21 |
    epoll_wait 232 - | epoll_pwait 281 22 | epoll_pwait2 441 441 | eventfd 284 - | eventfd2 290 19 | mprotect 10 226 |
    munmap 11 215 | mremap 25 216 | brk 12 214 | msync 26 227 | mlock 149 228 | munlock 150 229 | membarrier 324 283 |
    rt_sigaction 13 134 | rt_sigprocmask 14 135 | rt_sigreturn 15 139 | rt_sigsuspend 130 133 |
    rt_sigpending 127 136 | rt_sigtimedwait 128 137 | sigaltstack 131 132 | alarm 37 - | setitimer 38 103 |
    getitimer 36 102 | pause 34 - | nanosleep 35 101 | clock_nanosleep 230 115 | clock_gettime 228 113 |
    clock_getres 229 114 | gettimeofday 96 169 | time 201 - | times 100 153 | getpid 39 172 | getppid 110 173 |
    gettid 186 178 | getuid 102 174 | geteuid 107 175 | getgid 104 176 | getegid 108 177 | getresuid 118 148 |
    getresgid 120 150 | getgroups 115 158 | getpgrp 111 - | sched_yield 24 124 | sched_get_priority_max 146 125 |
    sched_get_priority_min 147 126 | getcpu 309 168 | futex 202 98 | futex_waitv 449 449 | set_robust_list 273 99 |
    set_tid_address 218 96 | rseq 334 293 | exit 60 93 | exit_group 231 94 | wait4 61 260 | waitid 247 95 |
    uname 63 160 | sysinfo 99 179 | fsync 74 82 | fdatasync 75 83 | sync_file_range 277 84 |
    ftruncate 77 46 | fadvise64 221 223 | readahead 187 213 | copy_file_range 326 285 |
    rename 82 - | renameat 264 38 | renameat2 316 276 | mkdir 83 - | mkdirat 258 34 | rmdir 84 - | unlink 87 - |
    unlinkat 263 35 | symlink 88 - | symlinkat 266 36 | umask 95 166 | getrandom 318 278 | getrlimit 97 163 |
    setrlimit 160 164 | getrusage 98 165 | arch_prctl 158 - | statfs 137 43 | fstatfs 138 44 | getxattr 191 8 |
    lgetxattr 192 9 | fgetxattr 193 10 | listxattr 194 11 | llistxattr 195 12 | flistxattr 196 13 |
    restart_syscall 219 128
"""
"""What numerical Python needs for its own process, files and clocks."""

PRETENDED = """
    chmod 90 - | fchmod 91 52 | fchmodat 268 53 | chown 92 - | fchown 93 55 | lchown 94 - | fchownat 260 54 |
    utime 132 - | utimes 235 - | utimensat 280 88 | futimesat 261 - | flock 73 32
"""
"""Pretend to succeed: no Landlock rule covers these calls, and copying a file makes them. A lock would bind every other
process that reads the same library or input, and nobody else has a session's own files."""

UNSUPPORTED = """
    setxattr 188 5 | lsetxattr 189 6 | fsetxattr 190 7 | removexattr 197 14 | lremovexattr 198 15 |
    fremovexattr 199 16 | fallocate 285 47
"""
"""Fail as on a file system without extended attributes, and without space that is taken before it is written."""

FILTERED = """
    mmap 9 222 | clone 56 220 | kill 62 129 | tgkill 234 131 | prctl 157 167 | prlimit64 302 261 | ioctl 16 29 |
    fcntl 72 25 | open 2 - | openat 257 56 | madvise 28 233 | getpgid 121 155 | getsid 124 156 | getpriority 140 141 |
    sched_getaffinity 204 123 | sched_getscheduler 145 120 | sched_getparam 143 121
"""
"""Allowed with certain arguments."""

ABSENT = """
    clone3 435 435 | openat2 437 437 | sendfile 40 71 | splice 275 76 | tee 276 77 | preadv2 327 286 | pwritev2 328 287
"""
"""Fail as on a kernel without this call, so that older ones are used: what these do cannot be told from their
arguments; they hold pages of files in pipes, where no limit counts them; or they tell which pages others have read."""

_COLUMN = {"x86_64": 1, "aarch64": 2}


def numbers(table: str, machine: str) -> dict[str, int]:
    """Return the numbers of the calls in `table` that `machine` has, by name."""
    rows = (entry.split() for entry in table.replace("\n", "|").split("|") if entry.strip())
    column = _COLUMN[machine]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}
