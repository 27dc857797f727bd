"""The confinement of a worker: namespaces, mounts, identity, limits, Landlock, seccomp. Standard library only."""
