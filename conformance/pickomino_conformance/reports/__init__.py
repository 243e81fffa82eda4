"""Reports that are written when a check has ended, each whole or not at all."""

from collections.abc import Callable
from pathlib import Path

from pickomino_conformance.findings import Findings
from pickomino_conformance.reports.junit import render as render_junit
from pickomino_conformance.reports.markdown import render as render_markdown
from pickomino_conformance.reports.page import render as render_page
from pickomino_conformance.whole_files import write_whole

RENDERERS: dict[str, Callable[[Findings], str]] = {
    "junit": render_junit,
    "markdown": render_markdown,
    "html": render_page,
}


def write(form: str, path: Path, findings: Findings) -> None:
    """Write a report in one of the forms `junit`, `markdown`, `html`.

    Raises:
        OSError: it can't be written.
    """
    write_whole(path, RENDERERS[form](findings))
