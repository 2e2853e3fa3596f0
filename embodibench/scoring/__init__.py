"""Scores, their intervals and their comparison with published figures: pure functions over arrays.

Only ``metrics`` and ``compare_results`` know of result files; the rest takes arrays and counts. What to call:

* pass/fail suites: ``pass_rates.pass_rate`` and ``pass_rates.pass_rates_by_level``
* Crafter: ``crafter.summarise`` (progress, score, reward and spectrum in one call)
* games with human tables: ``game_scores.summarise`` (raw and normalised, aggregates over games)
* two results on the same tasks: ``paired.compare_paired``
* a result beside published figures: ``compare_results.beside_published`` (or, from figures at hand,
  ``compare_suites.aai40_rows``, ``crafter_rows``, ``crafter_spectrum_rows``, ``atari_rows``, ``socialai_rows``)
* two results of one suite: ``compare_results.beside_result``
* the published figures themselves: ``baselines.references``, ``baselines.figures``, ``baselines.reference``

Every figure comes as an ``interval.Estimate``: a value with either an ``Interval``, which states its method and its
estimand, or a ``NoInterval``, which states why none is given. Scores are over planned trials: an error and a
missing trial count as not passed.
"""
