"""The agents that play the arena by scripts: the paper's, and its variants."""
