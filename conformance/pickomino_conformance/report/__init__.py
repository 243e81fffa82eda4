"""Reports: one model of what a check found, and what tells it, a module a form.

A new form of report is a module with a function `render`, and an entry here.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pickomino_conformance.files import write_whole

if TYPE_CHECKING:
    from pickomino_conformance.report.model import Findings


class Form(NamedTuple):
    """A form of report that is written once a check has ended, whole or not at all.

    Attributes:
        module: the module here that renders it, which is imported only where it is wanted.
        help: what the option of the command line says that names its file.
    """

    module: str
    help: str


# By the name of their options: `--junit FILE`.
FORMS = {
    "junit": Form("junit", "Write JUnit XML."),
    "markdown": Form("markdown", "Write a summary for a pull request."),
    "html": Form("page", "Write a web page with drawn tables."),
}


def renderer(form: str) -> "Callable[[Findings], str]":
    """Return what renders a form of report."""
    render: Callable[[Findings], str] = import_module(f"{__name__}.{FORMS[form].module}").render
    return render


def write(form: str, path: Path, findings: "Findings") -> None:
    """Write a report in one of the forms.

    Raises:
        OSError: it can't be written.
    """
    write_whole(path, renderer(form)(findings))
