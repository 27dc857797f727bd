"""Settings completed with a command's arguments."""

from __future__ import annotations

import argparse
import os
from typing import Any

from tablewright.cli.exits import WrongUse
from tablewright.settings.load import Loaded, load_settings


def configured(arguments: argparse.Namespace, **flags: Any) -> Loaded:
    """Load the settings; `--data-dir`, `--set NAME=VALUE` and `flags` take precedence over all other sources."""
    given: dict[str, Any] = {}
    for pair in arguments.set:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise WrongUse("cli_bad_set", value=pair)
        given[name.strip()] = value
    given.update({name: value for name, value in flags.items() if value is not None})
    if arguments.data_dir is not None:
        given["data_dir"] = arguments.data_dir
    return load_settings(environ=os.environ, flags=given)
