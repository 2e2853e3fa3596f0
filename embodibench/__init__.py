"""EmbodiBench: how well language models act in embodied worlds, with scores that replay derives again."""

__version__ = "0.1.0"
