"""The report as one self-contained HTML page, and as Markdown with its figures beside it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from docqn.evaluation.report.drawing import Figure
from docqn.evaluation.report.examples import walks
from docqn.evaluation.report.figures import figures
from docqn.evaluation.report.load import Evaluation
from docqn.evaluation.report.tables import tables
from docqn.evaluation.tables import escaped, html, markdown
from docqn.files import write_text

TITLE = "docqn: policies and how well they did"

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


def write_report(folder: Path, evaluations: Sequence[Evaluation]) -> list[Path]:
    """Write report.html, and report.md with figures; the files."""
    drawn = [figures(evaluation) for evaluation in evaluations]
    files = {"report.html": _page(evaluations, drawn), "report.md": _text(evaluations, drawn)}
    for i, some in enumerate(drawn):
        files |= {_file(i, figure): figure.svg for figure in some}
    for name, content in files.items():
        write_text(folder / name, content)
    return [folder / name for name in files]


def _page(evaluations: Sequence[Evaluation], drawn: Sequence[list[Figure]]) -> str:
    parts = []
    for evaluation, some in zip(evaluations, drawn, strict=True):
        parts += [
            f"<h2>{escape(evaluation.name)}</h2><p>{escape(evaluation.about)}</p>",
            *map(html, tables(evaluation)),
        ]
        parts += [
            f"<h3>{escape(one.title)}</h3><figure>{one.svg}</figure><p class=note>{escape(one.note)}</p>"
            for one in some
        ]
        if shown := "".join(map(html, walks(evaluation))):
            parts.append(f"<h3>Walks</h3>{shown}")
    return (
        f'<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">'
        f"<title>{TITLE}</title><style>{_CSS}</style><h1>{TITLE}</h1>{''.join(parts)}</html>\n"
    )


def _text(evaluations: Sequence[Evaluation], drawn: Sequence[list[Figure]]) -> str:
    parts = [f"# {TITLE}", ""]
    for i, (evaluation, some) in enumerate(zip(evaluations, drawn, strict=True)):
        parts += [f"## {escaped(evaluation.name)}", "", escaped(evaluation.about), ""]
        parts += map(markdown, tables(evaluation))
        for one in some:
            parts += [f"### {one.title}", "", f"![{one.title}]({_file(i, one)})", "", one.note, ""]
        if shown := [markdown(table) for table in walks(evaluation)]:
            parts += ["### Walks", "", *shown]
    return "\n".join(parts)


def _file(evaluation: int, figure: Figure) -> str:
    return f"{figure.name}-{evaluation + 1}.svg"
