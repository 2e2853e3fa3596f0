"""Templates, and the files they make."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodibench import __version__
from embodibench.data_files import folder
from embodibench.errors import MissingExtraError
from embodibench.leaderboard.site.columns import TRUST
from embodibench.leaderboard.site.entries import GROUPS

if TYPE_CHECKING:
    import jinja2

PAGES = (
    ("index", "Leaderboard"),
    ("compare", "Compare"),
    ("charts", "Charts"),
    ("trust", "What replay proves"),
    ("submit", "Submit"),
    ("cite", "Cite"),
)


class Pages:
    """Writes pages into the site's folder. Everything that a template is given is escaped."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.written: set[str] = set()

    @cached_property
    def _templates(self) -> jinja2.Environment:
        try:
            import jinja2
        except ImportError as error:
            raise MissingExtraError("the leaderboard's site", "board") from error
        templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder("leaderboard/site") / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        templates.filters["clamp"] = lambda value: f"{min(100.0, max(0.0, value)):g}"
        return templates

    def write(self, template: str, name: str, **values: Any) -> None:
        """Render a template as the file ``name``, below the site's folder.

        Raises:
            MissingExtraError: Jinja2 is not installed.
        """
        text = self._templates.get_template(template).render(
            root="../" * name.count("/"),
            here=name.removesuffix(".html"),
            pages=PAGES,
            trusts=TRUST,
            groups=list(GROUPS.values()),
            package_version=__version__,
            **values,
        )
        self.put(name, text.encode("utf-8"))

    def put(self, name: str, data: bytes) -> None:
        """Write a file of the site."""
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.written.add(name)
