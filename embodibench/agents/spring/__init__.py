"""The SPRING agent: it has studied a paper about the game, and reasons at every step through a graph of questions."""
