"""Submissions: a folder of data that comes by pull request, the rules that it is checked by, and verdicts on it.

A submission is ``submissions/<suite>@<N>/<date>_<model>_<agent>_<hash>/`` with ``result.json``, ``metadata.yaml``,
``README.md`` and, where a model played, ``transcript.jsonl.zst``. It is data of strangers: nothing in it is executed,
no path named in it is opened, and its trust is never written by its submitter.
"""
