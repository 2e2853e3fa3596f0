"""From submissions to tables, a dataset, a site and the files of the Hub.

Only submissions with an accepted verdict of the maintainers stand on the board, and every figure on it is computed
from the episodes when the board is built.
"""
