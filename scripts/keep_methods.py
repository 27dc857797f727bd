"""Keeps the methods of the classes that a question needs, for commands that may not keep what they compile."""

from __future__ import annotations

from tablewright.method_code import METHODS

if __name__ == "__main__":
    METHODS.reuse()  # before what follows is imported
    from tablewright.bootstrap.loader import (
        AGENTS,
        BUILTIN_ANALYST,
        EDITING_MODULES,
        EVALUATING_MODULE,
        READING_MODULES,
        REHEARSE,
        SQL_STORE,
        load,
    )
    from tablewright.cli.ask import COMMAND
    from tablewright.cli.clients.local import BUILD, CLIENT

    for name in (BUILD, CLIENT, COMMAND, SQL_STORE, AGENTS, BUILTIN_ANALYST, REHEARSE, EVALUATING_MODULE):
        load(name)
    for module in (*load(READING_MODULES), *load(EDITING_MODULES)):
        load(module)
    METHODS.end()
