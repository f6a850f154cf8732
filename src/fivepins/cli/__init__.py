"""The command line: `fivepins VERB …`, a file a group of verbs."""

from __future__ import annotations

from typing import Annotated

import typer

from fivepins import __version__
from fivepins.cli.equipment import equipment_command
from fivepins.cli.export import export_command
from fivepins.cli.files import fmt_command, score_command
from fivepins.cli.output import run
from fivepins.cli.paper import paper_command
from fivepins.cli.perft import perft_command
from fivepins.cli.referee import referee
from fivepins.cli.rule import rule_command
from fivepins.cli.serve import serve_command
from fivepins.cli.store import backup_command, import_command, rebuild_command
from fivepins.cli.table import bench_command, check_command, draw_command, simulate_command

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Rules, notation and matches of five-pin billiards.",
)
# Position codes and facts may begin with a dash; unknown options are refused by the commands themselves.
_DASHES = {"ignore_unknown_options": True}


def _version(value: bool) -> None:
    if value:
        typer.echo(f"fivepins {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


app.command("rule", context_settings=_DASHES)(rule_command)

app.command("score")(score_command)
app.command("fmt")(fmt_command)
app.command("export")(export_command)
app.command("paper")(paper_command)
app.command("equipment")(equipment_command)
app.command("referee")(referee)
app.command("perft")(perft_command)
app.command("simulate", context_settings=_DASHES)(simulate_command)
app.command("draw", context_settings=_DASHES)(draw_command)
app.command("check")(check_command)
app.command("bench")(bench_command)
app.command("serve")(serve_command)
app.command("rebuild")(rebuild_command)
app.command("backup")(backup_command)
app.command("import")(import_command)


def main() -> None:
    """Run the command line."""
    run(app)
