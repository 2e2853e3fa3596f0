"""``embodibench tree``: show a parameter tree of the SocialAI School."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from embodibench.errors import UsageError


@click.command("tree")
@click.argument("name", required=False)
@click.option(
    "--svg", "svg_path", type=click.Path(dir_okay=False, path_type=Path), help="Write a drawing to this file."
)
@click.option("--yaml", "as_yaml", is_flag=True, help="Print the tree as YAML, to be changed and used again.")
@click.option("--sample", "count", type=click.IntRange(1, 1000), help="Print this many sampled episodes.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="First seed of --sample.")
def tree(name: str | None, svg_path: Path | None, as_yaml: bool, count: int | None, seed: int) -> None:
    """Show the tree NAME: a case study, or a YAML file. Without NAME, list the case studies."""
    from embodibench.envs.socialai.streams import ChoiceStream, choice_key
    from embodibench.envs.socialai.trees import case_study, drawing, dump, load, names, sample

    if name is None:
        click.echo("\n".join(names()))
        return
    is_file = name.endswith((".yaml", ".yml"))
    root = load(Path(name)) if is_file else case_study(name)
    if svg_path is not None:
        try:
            svg_path.write_text(drawing.svg(root, Path(name).stem if is_file else name), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {svg_path}: {error.strerror}") from error
        click.echo(f"wrote {svg_path}")
    elif as_yaml:
        click.echo(dump(root), nl=False)
    elif count is not None:
        for number in range(seed, seed + count):
            stream = ChoiceStream(choice_key(number))
            chosen = sample(root, lambda parameter, stream=stream: stream.element(parameter.values))  # type: ignore[misc]
            click.echo(f"{number}: " + ", ".join(f"{key}={value}" for key, value in chosen.items()))
    else:
        encoding = sys.stdout.encoding or "ascii"
        click.echo(drawing.terminal(root, ascii_only="utf" not in encoding.lower()))


command = tree
