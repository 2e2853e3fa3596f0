"""One class for each kind of object: what it looks like, and what using or bumping it does."""

from embodibench.envs.socialai.objects.apple import Apple
from embodibench.envs.socialai.objects.barriers import Fence, Wall
from embodibench.envs.socialai.objects.base import Family, Thing
from embodibench.envs.socialai.objects.boxes import LockableBox
from embodibench.envs.socialai.objects.doors import Door, RemoteDoor
from embodibench.envs.socialai.objects.generators import AppleGenerator, GeneratorPlatform
from embodibench.envs.socialai.objects.levers import Lever
from embodibench.envs.socialai.objects.marbles import Marble, MarbleTee
from embodibench.envs.socialai.objects.switches import Switch

__all__ = [
    "Apple",
    "AppleGenerator",
    "Door",
    "Family",
    "Fence",
    "GeneratorPlatform",
    "Lever",
    "LockableBox",
    "Marble",
    "MarbleTee",
    "RemoteDoor",
    "Switch",
    "Thing",
    "Wall",
]
