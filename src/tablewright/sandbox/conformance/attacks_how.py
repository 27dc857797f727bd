"""How each attack is contained, in plain language, for people who decide whether to rely on it."""

from __future__ import annotations

_DATA = "limit of private memory; the code gets MemoryError"
_FILTER = "the filter of system calls"
_DISK = "at L2 and L3 the size of the session's own file system; else the watch over its folders"
_RESERVE = "the filter of system calls: space is taken by writing only"
_ORPHANS = (
    "at L2 and L3 the size of the session's own file system; else the watch, which counts open files without a name"
)
_REMOVAL = "the watch; removal knows no depth, and the slot is given back whatever becomes of it"
_LOCKS = "the filter of system calls: a lock of a whole file is pretended, and binds nobody"
_WATCH = "the watch over the session's folders"
_GRACE = "an interrupt at the deadline, and a kill two seconds later"
_INTERRUPT = "an interrupt at the deadline"
_FRAMES = "the service reads frames as untrusted: one that no worker sends ends the session"
_FLOOD = "the service counts frames by kind; far more than a busy worker sends ends the session"
_EMPTY = f"{_FILTER}, where Landlock does not govern it"
_OWN = "the process is the session's own"

OF_THE_MOMENT = frozenset(
    {
        "long work in C",
        "a regular expression that explodes",
        "an ending that never ends",
        "a gigabyte in one print",
        "an error of 200 MB",
        "threads without end",
        "a stack of C calls",
        "many small files",
        "folders deeper than any path",
        "a working folder at the bottom of the deepest",
        "deep folders that nobody may enter",
        "deep folders of temporary files",
    }
)
"""Attacks whose ending, among the permitted ones, depends on the load of the machine."""

HOW: dict[str, str] = {
    "arrays without end": _DATA,
    "a growing bytearray": _DATA,
    "a text of 8 GB": _DATA,
    "shared anonymous memory": f"{_FILTER}: no limit would count it; under gVisor a limit of addresses",
    "shared memory by way of a device": "the device is not there, or not for writing",
    "a file in memory": _FILTER,
    "filling the memory file systems": "their size and number of files",
    "buffers of sockets": f"{_FILTER}: no sockets; event loops are woken by a pipe",
    "larger pipes": f"{_FILTER}: pipes stay as they are made; limit of descriptors",
    "pages of files kept in pipes": _FILTER,
    "page tables of memory that is never written": "limit of addresses",
    "mappings that grow down": f"{_FILTER}: they count as a stack, not as memory",
    "huge pages of the host's reserve": _FILTER,
    "a first stack without end": "hard limit of the stack",
    "locks on ranges of a file": f"{_FILTER}: they are granted and not kept",
    "entries of epoll": "limit of descriptors",
    "small threads without end": "limit of threads; where the user id is shared, the watch over their number",
    "rings, keys and other holders of memory": _FILTER,
    "a fork bomb": _FILTER,
    "a child by subprocess": _FILTER,
    "a child by spawn": _FILTER,
    "another program": _FILTER,
    "the shell": _FILTER,
    "processes of a pool": _FILTER,
    "threads without end": "limit of threads, and of the memory of their stacks",
    "killing others": f"{_FILTER}: signals to itself only; a process space of its own",
    "signals by way of a descriptor's owner": _FILTER,
    "limits of another process": _FILTER,
    "raising its limits": "hard limits, and no privileges",
    "surviving its parent": f"{_FILTER}: the tie to the parent cannot be undone",
    "a loop without end": _INTERRUPT,
    "a long sleep": _INTERRUPT,
    "a regular expression that explodes": _INTERRUPT,
    "a representation that never ends": _INTERRUPT,
    "an ending that never ends": _GRACE,
    "catching every interrupt": _GRACE,
    "ignoring the signal": _GRACE,
    "blocking the signal": _GRACE,
    "stopping itself": "the first process of a space cannot be stopped; else a kill past the deadline",
    "closing the line and going on": "a kill two seconds past the deadline",
    "long work in C": _GRACE,
    "a gigabyte in one print": "the cap of text in the worker, and again in the service; what is cut is counted",
    "a gigabyte past the streams": "read and dropped beyond 16 KB",
    "many lines": "the cap of text in the worker, and again in the service; what is cut is counted",
    "an error of 200 MB": "the caps of messages and tracebacks",
    "frames of garbage": _FRAMES,
    "a frame of deep nesting": _FRAMES,
    "a frame that claims too much": _FRAMES,
    "a picture that is none": _FRAMES,
    "a file that is not its own": _FRAMES,
    "an end that was none": "executions are numbered; the code deceives only itself",
    "an end with figures that nothing has": _FRAMES,
    "pages without end": f"{_FRAMES}; so does more than any worker sends",
    "small pages without end": f"{_FRAMES}; so does more than any worker sends",
    "descriptors smuggled to the service": "the service takes bytes from a worker, no descriptors",
    "forged progress without end": _FLOOD,
    "forged files without end": _FLOOD,
    "forged text without end": _FLOOD,
    "forged text that says nothing": _FLOOD,
    "forged errors without end": _FLOOD,
    "forged ends of other executions": _FLOOD,
    "a flood of everything in turn": _FLOOD,
    "leaving at once": _OWN,
    "a jump to nowhere": _OWN,
    "aborting": _OWN,
    "killing itself": _OWN,
    "a stack of C calls": _OWN,
    "recursion": "Python's own limit",
    "closing every descriptor": _OWN,
    "using up its own processor limit": _OWN,
    "a file of 2 GB": "limit of a file's size",
    "a sparse file of a terabyte": "limit of a file's size",
    "many files of nothing but holes": f"{_WATCH}, which counts holes",
    "many large files": _DISK,
    "many small files": _DISK,
    "many small temporary files": f"the memory file system's number of files; at L1 {_WATCH}",
    "a folder that cannot be counted": f"{_WATCH}: what it cannot count is too much",
    "space reserved in deleted files": _RESERVE,
    "space reserved under names": _RESERVE,
    "space reserved past the end": _RESERVE,
    "deleted files that are kept open": _ORPHANS,
    "deleted files that are only mapped": f"{_ORPHANS}; one that it cannot count is too much",
    "deleted files on their way through a socket": f"{_FILTER}: no descriptor can be sent",
    "a deleted file filled through its mapping": _ORPHANS,
    "folders deeper than any path": _REMOVAL,
    "a working folder at the bottom of the deepest": _REMOVAL,
    "deep folders that nobody may enter": f"at L2 and L3 the size of the session's own file system; else {_REMOVAL}",
    "deep folders of temporary files": _REMOVAL,
    "names that no text can hold": _REMOVAL,
    "locks on the libraries of all": _LOCKS,
    "locks without end on its own files": _LOCKS,
    "a lease on what others read": f"{_FILTER}; a lease is for a file's owner",
    "a lock on the input that is about to be removed": _LOCKS,
    "secrets of the host": "a root of its own, or Landlock; a /proc of its own processes",
    "its own environment": "the environment is made anew, with nothing of the service's",
    "another session's input and files": "each session sees its own folders only",
    "links to secrets": "links lead where the session could go anyway; special files cannot be made",
    "changing what is not its own": "everything but its folders is read-only; changes of modes and times are not done",
    "emptying files by their path": _EMPTY,
    "emptying files by opening them to read": _EMPTY,
    "emptying files by opening them for nothing": _EMPTY,
    "emptying files by flags that lie in memory": _EMPTY,
    "the host's network and mounts in /proc": (
        "Landlock: of /proc five files about the process and two about the machine; gVisor has its own"
    ),
    "which processes of the host live": f"{_FILTER}: it answers about the process itself only",
    "the host's control groups": "Landlock: of control groups the process's own limits; else they are not there",
    "pages that others have read": _FILTER,
    "the network": f"{_FILTER}: no socket; an empty network space, or none",
    "calls that only the system's keepers make": f"{_FILTER}: a list of what is allowed",
    "system calls of the x32 kind": f"{_FILTER}: another kind ends the process",
    "system calls by the door of 32-bit programs": f"{_FILTER}: another kind ends the process",
    "terminal injection": f"{_FILTER}; there is no terminal",
    "regaining privileges": "no capabilities, none to be gained, a user id of its own",
}
