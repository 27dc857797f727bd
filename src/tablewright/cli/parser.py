"""An argument parser that speaks the terminal's language."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NoReturn

from tablewright.texts.catalogue import Language, text

DECLARED = 2
MISTAKES = {
    r"unrecognized arguments: (?P<given>.+)": "cli_mistake_unknown",
    r"the following arguments are required: (?P<wanted>.+)": "cli_mistake_missing",
    r"argument (?P<name>[^:]+): invalid choice: '?(?P<given>[^']*)'? \(choose from (?P<wanted>.+)\)": (
        "cli_mistake_choice"
    ),
    r"argument (?P<name>[^:]+): expected one argument": "cli_mistake_no_value",
    r"argument (?P<name>[^:]+): invalid int value: '(?P<given>.*)'": "cli_mistake_no_number",
    r"ambiguous option: (?P<given>\S+) could match (?P<wanted>.+)": "cli_mistake_ambiguous",
}
"""Patterns of argparse's messages and the catalogue codes that replace them."""


class Parser(argparse.ArgumentParser):
    """Reports a mistake in one line, with a pointer to the help, and exits with 2."""

    def __init__(self, *, prog: str, language: Language, description: str, epilog: str) -> None:
        self.language = language
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            add_help=False,
        )
        self._positionals.title = text("cli_help_words", language)
        self._optionals.title = text("cli_help_options", language)
        self.add_argument("-h", "--help", action="help", help=text("cli_help_help", language))

    def words(self, given: Sequence[str]) -> list[str]:
        """Return the arguments, with `./` before file names that could be mistaken for options."""
        return [f"./{word}" if self._is_file(word) else word for word in given]

    def format_help(self) -> str:
        """Return the help, with its headings in the terminal's language."""
        told = super().format_help().replace("usage: ", text("cli_help_usage", self.language), 1)
        for title in (text(code, self.language) for code in ("cli_help_words", "cli_help_options")):
            told = told.replace(f"\n{title}:\n", f"\n{text('cli_help_heading', self.language, title=title)}\n", 1)
        return told

    def error(self, message: str) -> NoReturn:
        """Print the mistake and exit."""
        detail = text("cli_usage_error", self.language, detail=self._told(message), command=self.prog)
        self.exit(DECLARED, detail + "\n")

    def _is_file(self, word: str) -> bool:
        known = word.partition("=")[0] in self._option_string_actions
        return len(word) > 1 and word.startswith("-") and not known and Path(word).is_file()

    def _told(self, message: str) -> str:
        for pattern, code in MISTAKES.items():
            if found := re.fullmatch(pattern, message, flags=re.DOTALL):
                given = found.groupdict()
                if "wanted" in given:
                    given["wanted"] = ", ".join(self._named(given["wanted"].replace("'", "").split(", ")))
                return text(code, self.language, **given)
        return message

    def _named(self, wanted: Iterable[str]) -> Iterable[str]:
        """Yield the names of missing arguments as in the help: as choices if there are any, without optional ones."""
        known = {action.metavar or action.dest: action for action in self._actions}
        for name in wanted:
            action = known.get(name)
            if action is None or action.nargs != "*":
                yield " | ".join(action.choices) if action is not None and action.choices else name
