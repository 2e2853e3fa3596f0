"""Bootstrap of the interquartile mean beside rliable: 50,000 resamples of a 10 x 57 matrix, both in one run.

    python benchmarks/bootstrap.py --rliable PYTHON

PYTHON is an interpreter whose environment has rliable (which needs pandas below 3); without it only our time is
printed. Times are the median of ``--repeats`` runs, taken in turns so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time

import numpy as np

from embodibench.scoring.aggregates import iqm
from embodibench.scoring.bootstrap import bootstrap_iqm, percentile_bounds

PEER = """
import json, sys, time
import numpy as np
from rliable import library, metrics
request = json.load(sys.stdin)
scores = np.array(request["scores"])
np.random.seed(0)
start = time.perf_counter()
points, bounds = library.get_interval_estimates(
    {"a": scores}, lambda x: np.array([metrics.aggregate_iqm(x)]), reps=request["resamples"])
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "iqm": float(points["a"][0]), "bounds": np.ravel(bounds["a"]).tolist()}))
"""


def ours(scores: np.ndarray, resamples: int) -> dict[str, object]:
    """Time and result of this package."""
    start = time.perf_counter()
    values = bootstrap_iqm(scores, np.random.default_rng(0), resamples)
    bounds = percentile_bounds(values)
    return {"seconds": time.perf_counter() - start, "iqm": float(iqm(scores)), "bounds": list(bounds)}


def peer(python: str, scores: np.ndarray, resamples: int) -> dict[str, object]:
    """Time and result of rliable, import not counted."""
    request = json.dumps({"scores": scores.tolist(), "resamples": resamples})
    done = subprocess.run([python, "-c", PEER], input=request, capture_output=True, text=True, check=True)
    result: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rliable", metavar="PYTHON")
    parser.add_argument("--resamples", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    scores = np.random.default_rng(1).lognormal(0.0, 1.0, (10, 57))
    results: dict[str, list[dict[str, object]]] = {"embodibench": [], "rliable": []}
    for _ in range(arguments.repeats):
        results["embodibench"].append(ours(scores, arguments.resamples))
        if arguments.rliable:
            results["rliable"].append(peer(arguments.rliable, scores, arguments.resamples))
    medians = {}
    print(f"IQM of a 10 x 57 matrix, {arguments.resamples} resamples, median of {arguments.repeats}")
    for name, runs in results.items():
        if runs:
            medians[name] = statistics.median(float(str(run["seconds"])) for run in runs)
            print(f"  {name:12} {medians[name]:8.3f} s   IQM {runs[0]['iqm']:.6f}   95 % {runs[0]['bounds']}")
    if "rliable" in medians:
        print(f"  ratio        {medians['rliable'] / medians['embodibench']:8.1f} times faster (goal: 10)")


if __name__ == "__main__":
    main()
