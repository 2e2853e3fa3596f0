"""Templates, and the files they make."""

from __future__ import annotations

from functools import cached_property, lru_cache
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


class Templates:
    """The templates of the pages. Everything that one is given is escaped."""

    @cached_property
    def _environment(self) -> jinja2.Environment:
        try:
            import jinja2
        except ImportError as error:
            raise MissingExtraError("the leaderboard's site", "board") from error
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder("leaderboard/site") / "templates"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        environment.filters["clamp"] = lambda value: f"{min(100.0, max(0.0, value)):g}"
        return environment

    def render(self, template: str, name: str, **values: Any) -> bytes:
        """A page that will be the file ``name``, below the site's folder.

        Raises:
            MissingExtraError: Jinja2 is not installed.
        """
        text = self._environment.get_template(template).render(
            root="../" * name.count("/"),
            here=name.removesuffix(".html"),
            pages=PAGES,
            trusts=TRUST,
            groups=list(GROUPS.values()),
            package_version=__version__,
            **values,
        )
        return text.encode("utf-8")


@lru_cache(maxsize=1)
def templates() -> Templates:
    """Those of this process, so that they are compiled once."""
    return Templates()
