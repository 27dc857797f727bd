"""What closes a worker in: namespaces and mounts, identity, limits, Landlock, seccomp. Standard library only."""
