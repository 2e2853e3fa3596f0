"""Write the task cards of aai40 from the published arena files (for maintainers; cards are reviewed and then fixed).

    python scripts/aai_cards.py FOLDER [--out tasks/aai40]

FOLDER holds the 40 YAML files that the children played (LLM-AAI, ``data/arena_configs/competition/children_tests``). A
card carries their figures, with the file's SHA-256. Titles, capabilities and notes are ours, and are in
``scripts/aai_cards.yaml``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import yaml

from embodibench.envs.aai.importer import ImportedArena, read_arena
from embodibench.envs.aai.spec import ItemSpec

LEVELS = {
    1: "food retrieval",
    2: "preferences",
    3: "static obstacles",
    4: "avoidance",
    5: "spatial reasoning and support",
    6: "generalisation",
    7: "internal modelling",
    8: "object permanence and working memory",
    9: "numerosity and advanced preferences",
    10: "causal reasoning",
}
SEEDS = (1, 2, 3)


def number(value: float) -> str:
    """Shortest form of a figure."""
    return str(int(value)) if value == int(value) else repr(value)


def vectors(values: tuple[tuple[float, ...], ...]) -> str:
    """A list of figures on one line."""
    return "[" + ", ".join("[" + ", ".join(number(v) for v in value) + "]" for value in values) + "]"


def item_lines(item: ItemSpec) -> list[str]:
    """An item of an arena as YAML."""
    lines = [f"      - kind: {item.kind}"]
    for name in ("positions", "sizes", "colors"):
        if getattr(item, name):
            lines.append(f"        {name}: {vectors(getattr(item, name))}")
    if item.rotations:
        lines.append(f"        rotations: [{', '.join(number(v) for v in item.rotations)}]")
    return lines


def folded(text: str, indent: str) -> list[str]:
    """A text as a folded YAML scalar."""
    lines, line = [], indent
    for word in text.split():
        if len(line) + len(word) + 1 > 118:
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    return [*lines, line.rstrip()]


def card(name: str, arena: ImportedArena, words: dict[str, object]) -> str:
    """The text of one task card."""
    level = int(name[:2])
    lines = [f"id: {name}", f"title: {json.dumps(words['title'])}", "capability: >-"]
    lines += folded(f"Level {level}, {LEVELS[level]}: {words['measures']}", "  ")
    lines += [f"group: level-{level:02d}", "environment:", "  kind: aai", "  parameters:"]
    lines.append(f"    time_limit: {arena.spec.time_limit}")
    if arena.spec.blackouts:
        lines.append(f"    blackouts: [{', '.join(str(frame) for frame in arena.spec.blackouts)}]")
    lines.append("    items:")
    for item in arena.spec.items:
        lines += item_lines(item)
    lines.append(f"seeds: [{', '.join(str(seed) for seed in SEEDS)}]")
    lines.append(f"success: {{measure: return, at_least: {number(arena.pass_mark)}}}")
    notes = words.get("notes", [])
    if isinstance(notes, list) and notes:
        lines.append("notes:")
        for note in notes:
            lines += ["  - >-", *folded(str(note), "    ")]
    if words.get("passable") is False:
        lines.append("passable: false")
    lines += [
        "source:",
        '  work: "Voudouris et al., Direct Human-AI Comparison in the Animal-AI Environment, Front. Psychol. 2022"',
        "  doi: 10.3389/fpsyg.2022.711821",
        "  url: https://github.com/Kinds-of-Intelligence-CFI/LLM-AAI",
        f"  upstream: data/arena_configs/competition/children_tests/{name}.yaml at revision e339118",
        f"  sha256: {arena.sha256}",
        "  licence: Apache-2.0",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("tasks/aai40"))
    arguments = parser.parse_args()
    words = yaml.safe_load((Path(__file__).parent / "aai_cards.yaml").read_text(encoding="utf-8"))
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, entry in words.items():
        arena = read_arena(arguments.folder / f"{name}.yaml")
        (arguments.out / f"{name}.yaml").write_text(card(name, arena, entry), encoding="utf-8")
    print(f"{len(words)} cards in {arguments.out}")


if __name__ == "__main__":
    main()
