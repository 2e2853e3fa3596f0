"""What is seen, in words, for models without eyes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from embodibench.agents.react.sight import Sighting, View
from embodibench.envs.aai.scene import Triple

MOST: Final = 12
"""Objects that are listed beside the balls; the nearest come first."""

NAMES: Final = {
    "GoodGoal": "green ball",
    "GoodGoalBounce": "green ball",
    "GoodGoalMulti": "yellow ball",
    "GoodGoalMultiBounce": "yellow ball",
    "BadGoal": "red ball",
    "BadGoalBounce": "red ball",
    "DeathZone": "red lava",
    "HotZone": "orange ground",
    "WallTransparent": "transparent wall",
    "CylinderTunnelTransparent": "transparent arch",
    "CylinderTunnel": "arch",
    "Cardbox1": "grey block",
    "Cardbox2": "grey block",
    "LObject": "grey L-shaped block",
    "LObject2": "grey L-shaped block",
    "UObject": "grey U-shaped block",
}
"""Kind -> how the prompt calls it. What looks alike is called alike. Walls and ramps are called by their colour."""

COLOURS: Final = {
    "white": (255, 255, 255),
    "grey": (153, 153, 153),
    "black": (0, 0, 0),
    "red": (255, 0, 0),
    "green": (0, 200, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "orange": (255, 140, 0),
    "purple": (255, 0, 255),
    "light blue": (0, 220, 255),
    "brown": (140, 80, 30),
}
ZONES: Final = ("DeathZone", "HotZone")


def describe(view: View) -> str:
    """A view in words, a line for each object, nearest first."""
    if view.dark:
        return "It is dark. You see nothing."
    balls = [sighting for sighting in view.sightings if sighting.kind.endswith(("Goal", "Multi", "Bounce"))]
    others = [sighting for sighting in view.sightings if sighting not in balls]
    lines = [_line(sighting) for sighting in balls] or ["- no ball"]
    lines += [_line(sighting) for sighting in others[:MOST]]
    if len(others) > MOST:
        lines.append(f"- farther away: {_counted(others[MOST:])}")
    if view.fence is not None:
        lines.append(f"- the fence, straight ahead, {view.fence:.1f} away")
    return "\n".join(lines)


def name(sighting: Sighting) -> str:
    """What the prompt calls an object."""
    known = NAMES.get(sighting.kind)
    return known or f"{colour(sighting.solid.colour)} {sighting.kind.lower()}"


def colour(rgb: Triple) -> str:
    """The nearest word for a colour."""

    def far(word: str) -> float:
        return sum((a - b) ** 2 for a, b in zip(rgb, COLOURS[word], strict=True))

    return min(COLOURS, key=far)


def bearing(angle: int) -> str:
    """An angle as a person would say it."""
    if angle == 0:
        return "straight ahead"
    return f"{abs(angle)} degrees {'right' if angle > 0 else 'left'}"


def _line(sighting: Sighting) -> str:
    wide, high = sighting.right - sighting.left + 1, sighting.high - sighting.low + 1
    line = f"- {name(sighting)}: {bearing(sighting.bearing)}, {sighting.distance:.1f} away, {wide} degrees wide"
    if sighting.kind in ZONES:
        return f"{line}, from {bearing(sighting.left)} to {bearing(sighting.right)}"
    if sighting.kind not in NAMES or wide > 15:
        line += f" (from {bearing(sighting.left)} to {bearing(sighting.right)})"
    return f"{line}, {high} degrees high"


def _counted(sightings: Sequence[Sighting]) -> str:
    counts: dict[str, int] = {}
    for sighting in sightings:
        counts[name(sighting)] = counts.get(name(sighting), 0) + 1
    return ", ".join(f"{count} x {word}" for word, count in counts.items())
