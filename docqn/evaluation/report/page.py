"""The report as one self-contained HTML page, and as Markdown with its figures beside it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from docqn.evaluation.report import readers
from docqn.evaluation.report.drawing import Figure
from docqn.evaluation.report.examples import walks
from docqn.evaluation.report.figures import figures
from docqn.evaluation.report.load import Evaluation
from docqn.evaluation.report.readers import Measured
from docqn.evaluation.report.tables import tables
from docqn.evaluation.tables import Table, escaped, html, markdown
from docqn.files import write_text

TITLE = "docqn: how well readers and policies did"
_ABOUT_READERS = "Each reader by itself, as `docqn reader evaluate` measures it."

_CSS = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --faint: #666; --line: #ddd; --rule: #999 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --paper: #17191c; --faint: #a0a0a0; --line: #383c42; --rule: #777 }
}
html { color: var(--ink); background: var(--paper) }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2rem 0 .5rem; font-size: 1.05rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top }
td { white-space: nowrap }
th { border-bottom: 2px solid var(--rule); font-weight: 600; vertical-align: bottom }
.name { text-align: left; white-space: normal }
.name:first-child { padding-left: 0; white-space: nowrap }
.note { color: var(--faint); font-size: .85rem; max-width: 56rem }
figure { margin: 1rem 0 }
svg { max-width: 100%; height: auto; background: #fff }
@media print { h2 ~ h2 { break-before: page } }
"""


class Section(NamedTuple):
    """What belongs together on the page."""

    name: str
    about: str
    tables: list[Table]
    figures: list[Figure]
    walks: list[Table]


def write_report(folder: Path, evaluations: Sequence[Evaluation], measured: Sequence[Measured] = ()) -> list[Path]:
    """Write report.html, and report.md with figures; the files."""
    sections = [_of_readers(source, measured) for source in readers.sources(measured)]
    sections += [_of_policies(evaluation) for evaluation in evaluations]
    files = {"report.html": _page(sections), "report.md": _text(sections)}
    for i, section in enumerate(sections):
        files |= {_file(i, figure): figure.svg for figure in section.figures}
    for name, content in files.items():
        write_text(folder / name, content)
    return [folder / name for name in files]


def _of_policies(evaluation: Evaluation) -> Section:
    shown = list(walks(evaluation))
    return Section(evaluation.name, evaluation.about, list(tables(evaluation)), figures(evaluation), shown)


def _of_readers(source: str, measured: Sequence[Measured]) -> Section:
    some = [one for one in measured if one.source == source]
    return Section(f"Readers on {source}", _ABOUT_READERS, readers.tables(some), readers.figures(some), [])


def _page(sections: Sequence[Section]) -> str:
    parts = []
    for section in sections:
        parts += [f"<h2>{escape(section.name)}</h2><p>{escape(section.about)}</p>", *map(html, section.tables)]
        parts += [
            f"<h3>{escape(one.title)}</h3><figure>{one.svg}</figure><p class=note>{escape(one.note)}</p>"
            for one in section.figures
        ]
        if section.walks:
            parts.append(f"<h3>Walks</h3>{''.join(map(html, section.walks))}")
    return (
        f'<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">'
        f"<title>{TITLE}</title><style>{_CSS}</style><h1>{TITLE}</h1>{''.join(parts)}</html>\n"
    )


def _text(sections: Sequence[Section]) -> str:
    parts = [f"# {TITLE}", ""]
    for i, section in enumerate(sections):
        parts += [f"## {escaped(section.name)}", "", escaped(section.about), "", *map(markdown, section.tables)]
        for one in section.figures:
            parts += [f"### {one.title}", "", f"![{one.title}]({_file(i, one)})", "", one.note, ""]
        if section.walks:
            parts += ["### Walks", "", *map(markdown, section.walks)]
    return "\n".join(parts)


def _file(section: int, figure: Figure) -> str:
    return f"{figure.name}-{section + 1}.svg"
