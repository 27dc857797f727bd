"""The default backend: a zygote that jails itself, and one jailed fork per session."""
