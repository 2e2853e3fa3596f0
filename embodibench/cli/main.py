"""The command ``embodibench``. Each subcommand lives in a file of its own and is imported when it is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, cast

import click

import embodibench
from embodibench.errors import EmbodiBenchError

COMMANDS: dict[str, tuple[str, str]] = {
    "eval": ("embodibench.cli.eval:command", "Let a model or policy play a suite."),
    "resume": ("embodibench.cli.eval:resume", "Go on with a run that was stopped."),
    "score": ("embodibench.cli.score:command", "Show the score of a run or result file."),
    "compare": ("embodibench.cli.compare:command", "Compare two results of one suite, trial by trial."),
    "baselines": ("embodibench.cli.compare:baselines_command", "List published figures of humans and agents."),
    "verify": ("embodibench.cli.verify:command", "Replay a result and say whether its score follows."),
    "submit": ("embodibench.cli.submit:command", "Write a submission of a whole run, ready for a pull request."),
    "check": ("embodibench.cli.check:command", "Check submissions by the rules, as reviewers do."),
    "rerun": ("embodibench.cli.rerun:command", "Ask a submission's model again on a sample, and test agreement."),
    "verdict": ("embodibench.cli.verdict:command", "Write verdict files, as the maintainers' CI does."),
    "leaderboard": ("embodibench.cli.leaderboard:command", "Build the leaderboard from submissions, and publish it."),
    "list": ("embodibench.cli.cards:list_command", "List the suites, agents and policies."),
    "show": ("embodibench.cli.cards:show", "Show a suite or a task."),
    "cite": ("embodibench.cli.cards:cite", "Print how to cite a benchmark version."),
    "study": ("embodibench.cli.study:command", "Let a model read a paper and write a context for the SPRING agents."),
    "tree": ("embodibench.cli.tree:command", "Show a parameter tree of the SocialAI School."),
    "models": ("embodibench.cli.models:models_command", "List the models of the model table."),
    "conformance": ("embodibench.cli.conformance:command", "Check that this installation reproduces a suite's worlds."),
    "schema": ("embodibench.cli.cards:schema", "Print the JSON Schema of result files."),
}
"""Name -> where the command lives, and its line in the overview (kept here, so that --help imports nothing)."""


class LazyGroup(click.Group):
    """A group that imports a command only when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        return cast(click.Command, getattr(import_module(module), name))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean '{near[0]}'?" if near else " Try 'embodibench --help'."
            ctx.fail(f"No such command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(embodibench.__version__, "--version", message="embodibench %(version)s")
def group() -> None:
    """Measure how well language models act in embodied worlds, with scores that replay derives again.

    \b
    First steps, with no key:
      embodibench eval --model policy/random --suite crafter
      embodibench verify runs/<id>
      embodibench score runs/<id>
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 found wanting, 2 a user's mistake, 130 interrupted."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit code. Errors the user can act on are one line, without a traceback."""
    try:
        code: Any = group.main(arguments, prog_name="embodibench", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        click.echo("Stopped.", err=True)
        return 130
    except EmbodiBenchError as error:
        click.echo(f"Error: {' '.join(str(error).splitlines())}", err=True)
        return error.exit_code
    except KeyboardInterrupt:
        click.echo("Stopped.", err=True)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone, as `| head` does: end quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"Error: {where}{error.strerror or error}", err=True)
        return 2
    return code if isinstance(code, int) else 0
