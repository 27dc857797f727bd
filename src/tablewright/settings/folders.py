"""Where this platform keeps a user's data and configuration."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_config_path, user_data_path

FILE_NAME = "tablewright.yaml"


def default_data_dir() -> Path:
    """Return the folder of the database and the files when `data_dir` is not set."""
    return user_data_path("tablewright", appauthor=False)


def user_configuration() -> Path:
    """Return the configuration file of the user, whether or not it exists."""
    return user_config_path("tablewright", appauthor=False) / FILE_NAME
