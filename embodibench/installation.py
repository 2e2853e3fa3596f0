"""How this package was installed: what pip noted of it (PEP 610)."""

from __future__ import annotations

import json
import re
import shlex
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import unquote, urlsplit

_COMMIT = re.compile(r"[0-9a-f]{40,64}")
NAME = "embodibench"


def commit() -> str | None:
    """The commit that pip installed from a version control system; None where it installed something else."""
    found = _noted().get("vcs_info")
    value = found.get("commit_id") if isinstance(found, dict) else None
    return value if isinstance(value, str) and _COMMIT.fullmatch(value) else None


def command_for(extra: str) -> str:
    """The command that installs an extra into an installation like this one."""
    noted = _noted()
    address = str(noted.get("url", ""))
    parts = urlsplit(address)
    if (known := commit()) is not None:
        return f"pip install '{NAME}[{extra}] @ git+{address}@{known}'"
    if parts.scheme == "file":
        editable = "-e " if noted.get("dir_info") == {"editable": True} else ""
        return f"pip install {editable}{shlex.quote(f'{unquote(parts.path)}[{extra}]')}"
    return f"pip install '{NAME}[{extra}]" + (f" @ {address}'" if address else "'")


def _noted() -> dict[str, object]:
    try:
        noted = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}
