"""Scripted peers: a body on the grid, and one mind for each role it plays."""
