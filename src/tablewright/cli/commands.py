"""Every command with its arguments. Importing this is cheap: what a command needs is imported when it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tablewright.cli.parser import Parser
from tablewright.texts.catalogue import Language, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command, the function that runs it (`module:function`, takes the parsed arguments), and its arguments."""

    name: str
    target: str
    arguments: Callable[[Parser], None]

    def parser(self, language: Language) -> Parser:
        """Make the command's parser, its help in `language`."""
        parser = Parser(
            prog=f"tablewright {self.name}",
            language=language,
            description=text(f"cli_{self.name}", language),
            epilog=text(f"cli_{self.name}_examples", language),
        )
        self.arguments(parser)
        _common(parser)
        return parser


def _option(parser: Parser, *names: str, key: str, metavar: str | None = None, default: object = None) -> None:
    parser.add_argument(*names, metavar=metavar, default=default, help=text(f"cli_{key}", parser.language))


def _switch(parser: Parser, name: str, key: str) -> None:
    parser.add_argument(name, action="store_true", help=text(f"cli_{key}", parser.language))


def _common(parser: Parser) -> None:
    _option(parser, "--data-dir", key="option_data_dir", metavar="DIR")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help=text("cli_option_set", parser.language)
    )


def _remote(parser: Parser) -> None:
    _option(parser, "--server", key="option_server", metavar="URL")
    _option(parser, "--key", key="option_key", metavar="KEY")


def _ask(parser: Parser) -> None:
    parser.add_argument("words", nargs="*", metavar="FILE… QUESTION", help=text("cli_option_words", parser.language))
    _option(parser, "--model", key="option_model", metavar="NAME")
    _option(parser, "--conversation", key="option_conversation", metavar="ID")
    _option(parser, "--out", key="option_out", metavar="DIR")
    _switch(parser, "--json", "option_json")
    _switch(parser, "--yes", "option_yes")
    _remote(parser)


def _edit(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help=text("cli_option_workbook", parser.language))
    parser.add_argument("instruction", metavar="INSTRUCTION", help=text("cli_option_instruction", parser.language))
    _option(parser, "--model", key="option_model", metavar="NAME")
    _option(parser, "--save-plan", key="option_save_plan", metavar="FILE")
    _switch(parser, "--json", "option_json")
    _writing(parser)


def _report(parser: Parser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="FILE… [WHAT MATTERS]", help=text("cli_option_report_words", parser.language)
    )
    _option(parser, "--model", key="option_model", metavar="NAME")
    _option(parser, "--out", key="option_report_out", metavar="FILE")
    _switch(parser, "--json", "option_json")
    _remote(parser)


WORKFLOW_ACTIONS = (
    *("list", "new", "from", "publish", "withdraw", "validate", "run", "export", "schema"),
    *("schedule", "settings", "correct", "corrections"),
)


def _workflow(parser: Parser) -> None:
    _actions(parser, *WORKFLOW_ACTIONS)
    parser.add_argument("words", nargs="*", metavar="WORKFLOW FILE…", help=text("cli_option_workflow", parser.language))
    parser.add_argument(
        "--input", action="append", default=[], metavar="NAME=VALUE", help=text("cli_option_input", parser.language)
    )
    _option(parser, "--model", key="option_model", metavar="NAME")
    _option(parser, "--out", key="option_out", metavar="DIR")
    _switch(parser, "--json", "option_json")
    _switch(parser, "--yes", "option_yes")
    _switch(parser, "--public", "option_public")
    _option(parser, "--name", key="option_workflow_name", metavar="NAME")
    _option(parser, "--when", key="option_when", metavar="WORDS")
    _option(parser, "--zone", key="option_zone", metavar="ZONE")
    parser.add_argument(
        "--newest", action="append", default=[], metavar="PATTERN", help=text("cli_option_newest", parser.language)
    )
    _option(parser, "--webhook", key="option_webhook", metavar="URL")
    _remote(parser)


def _apply(parser: Parser) -> None:
    parser.add_argument("plan", metavar="PLAN", help=text("cli_option_plan", parser.language))
    parser.add_argument("file", metavar="FILE", help=text("cli_option_workbook", parser.language))
    _writing(parser)


def _writing(parser: Parser) -> None:
    _option(parser, "--out", key="option_out_file", metavar="FILE")
    _switch(parser, "--diff", "option_diff")
    _switch(parser, "--no-guard", "option_no_guard")
    _switch(parser, "--yes", "option_yes")
    _remote(parser)


def _serve(parser: Parser) -> None:
    _option(parser, "--host", key="option_host", metavar="HOST")
    _option(parser, "--port", key="option_port", metavar="PORT")
    _switch(parser, "--demo", "option_demo")


def _mcp(parser: Parser) -> None:
    _switch(parser, "--http", "option_mcp_http")
    _option(parser, "--host", key="option_host", metavar="HOST")
    _option(parser, "--port", key="option_port", metavar="PORT")
    parser.set_defaults(demo=False)


def _doctor(parser: Parser) -> None:
    _switch(parser, "--json", "option_doctor_json")


def _eval(parser: Parser) -> None:
    parser.add_argument("suite", metavar="SUITE_DIR", help=text("cli_option_suite", parser.language))
    parser.add_argument("--out", required=True, metavar="FILE", help=text("cli_option_results", parser.language))
    _option(parser, "--model", key="option_model", metavar="NAME")
    parser.add_argument("--limit", type=int, metavar="N", help=text("cli_option_limit", parser.language))


def _actions(parser: Parser, *choices: str) -> None:
    parser.add_argument("action", choices=choices, help=text("cli_option_action", parser.language))


def _config(parser: Parser) -> None:
    _actions(parser, "show", "init")
    _switch(parser, "--json", "option_config_json")


def _files(parser: Parser) -> None:
    _actions(parser, "list", "delete")
    parser.add_argument("ids", nargs="*", metavar="ID", help=text("cli_option_file_ids", parser.language))
    _switch(parser, "--json", "option_files_json")
    _remote(parser)


def _code(parser: Parser) -> None:
    _actions(parser, "list", "show", "run")
    parser.add_argument("id", nargs="?", metavar="ID", help=text("cli_option_code_id", parser.language))
    _option(parser, "--out", key="option_out", metavar="DIR")
    _switch(parser, "--json", "option_json")
    _remote(parser)


def _words(parser: Parser) -> None:
    _actions(parser, "list", "add", "remove")
    said = text("cli_option_words_said", parser.language)
    parser.add_argument("words", nargs="*", metavar="WORD=MEANING|ID", help=said)
    _switch(parser, "--json", "option_words_json")
    _remote(parser)


def _notes(parser: Parser) -> None:
    _actions(parser, "list", "add", "delete")
    parser.add_argument("words", nargs="*", metavar="NOTE|ID", help=text("cli_option_notes_said", parser.language))
    _switch(parser, "--json", "option_notes_json")
    _remote(parser)


def _export(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help=text("cli_option_export_id", parser.language))
    _option(parser, "--out", key="option_export_out", metavar="FILE", default="analysis.ipynb")
    _remote(parser)


def _share(parser: Parser) -> None:
    parser.add_argument("words", nargs="+", metavar="CONVERSATION", help=text("cli_option_share", parser.language))
    parser.add_argument("--days", type=int, metavar="N", help=text("cli_option_days", parser.language))
    _remote(parser)


def _db(parser: Parser) -> None:
    _actions(parser, "upgrade")


def _sandbox(parser: Parser) -> None:
    _actions(parser, "install")


def _key(parser: Parser) -> None:
    _actions(parser, "create", "list", "delete")
    _option(parser, "--name", key="option_key_name", metavar="NAME", default="default")
    _option(parser, "--owner", key="option_key_owner", metavar="OWNER")
    _switch(parser, "--operator", "option_key_operator")


COMMANDS = (
    Command(name="ask", target="tablewright.cli.ask:run", arguments=_ask),
    Command(name="report", target="tablewright.cli.report:run", arguments=_report),
    Command(name="workflow", target="tablewright.cli.workflow:run", arguments=_workflow),
    Command(name="edit", target="tablewright.cli.edit:run", arguments=_edit),
    Command(name="apply", target="tablewright.cli.apply:run", arguments=_apply),
    Command(name="serve", target="tablewright.cli.serve:run", arguments=_serve),
    Command(name="mcp", target="tablewright.cli.mcp:run", arguments=_mcp),
    Command(name="doctor", target="tablewright.cli.doctor:run", arguments=_doctor),
    Command(name="models", target="tablewright.cli.doctor:models", arguments=_doctor),
    Command(name="eval", target="tablewright.cli.evaluate:run", arguments=_eval),
    Command(name="export", target="tablewright.cli.export:run", arguments=_export),
    Command(name="share", target="tablewright.cli.share:run", arguments=_share),
    Command(name="files", target="tablewright.cli.files:run", arguments=_files),
    Command(name="words", target="tablewright.cli.words:run", arguments=_words),
    Command(name="notes", target="tablewright.cli.notes:run", arguments=_notes),
    Command(name="code", target="tablewright.cli.code:run", arguments=_code),
    Command(name="config", target="tablewright.cli.config:run", arguments=_config),
    Command(name="db", target="tablewright.cli.database:run", arguments=_db),
    Command(name="sandbox", target="tablewright.cli.sandbox:run", arguments=_sandbox),
    Command(name="key", target="tablewright.cli.key:run", arguments=_key),
)
