"""Animal-AI's arena without Unity: physics on MuJoCo, a software renderer, and the published arenas as data."""
