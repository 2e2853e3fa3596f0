"""The agent ``in-context``: recorded example episodes, then the running episode, and nothing else."""
