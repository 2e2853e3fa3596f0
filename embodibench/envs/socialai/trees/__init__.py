"""Parameter trees: which episodes a study is made of, and how one is drawn."""

from embodibench.envs.socialai.trees import drawing
from embodibench.envs.socialai.trees.case_studies import case_study, names
from embodibench.envs.socialai.trees.node import Parameter, Value, sample
from embodibench.envs.socialai.trees.notation import dump, load, parse

__all__ = ["Parameter", "Value", "case_study", "drawing", "dump", "load", "names", "parse", "sample"]
