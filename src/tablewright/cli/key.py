"""`tablewright key create|list|delete`."""

from __future__ import annotations

import argparse

from tablewright.bootstrap.build import data_dir_of
from tablewright.cli.configuration import configured
from tablewright.cli.exits import Exit, WrongUse
from tablewright.domain.ids import SystemClock
from tablewright.domain.scope import LOCAL_OWNER
from tablewright.service.api_keys import ApiKeys
from tablewright.texts.catalogue import text


def run(arguments: argparse.Namespace) -> int:
    """Create, list or delete keys of the data folder."""
    keys = ApiKeys(data_dir_of(configured(arguments).settings))
    language, name = arguments.language, arguments.name
    if arguments.action == "list":
        for entry in keys.all():
            print("\t".join((entry.name, entry.owner, entry.created_at, *(["operator"] if entry.operator else []))))
        if not keys.all():
            print(text("cli_no_keys", language))
        return Exit.DONE
    if arguments.action == "delete":
        if not keys.delete(name):
            raise WrongUse("cli_key_unknown", name=name)
        print(text("cli_key_deleted", language, name=name))
        return Exit.DONE
    if any(entry.name == name for entry in keys.all()):
        raise WrongUse("cli_key_exists", name=name)
    key = keys.create(name, SystemClock(), owner=arguments.owner or LOCAL_OWNER, operator=arguments.operator)
    print(text("cli_key_created", language, name=name, key=key))
    return Exit.DONE
