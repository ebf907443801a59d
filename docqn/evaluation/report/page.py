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
from docqn.evaluation.tables import html, markdown
from docqn.files import write_text

TITLE = "docqn: policies and how well they did"

_CSS = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem }
html { color: #222; background: #fff }
h1 { font-size: 1.5rem }
h2 { margin-top: 3rem; border-bottom: 1px solid #ddd }
h3 { margin: 2rem 0 .5rem; font-size: 1.05rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #eee; vertical-align: top }
td { white-space: nowrap }
th { border-bottom: 2px solid #999; font-weight: 600; vertical-align: bottom }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
.walks td:nth-child(-n+4), .walks th:nth-child(-n+4) { text-align: left; white-space: normal }
.note { color: #666; font-size: .85rem; max-width: 56rem }
figure { margin: 1rem 0 }
svg { max-width: 100%; height: auto }
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
            parts.append(f"<h3>Walks</h3><div class=walks>{shown}</div>")
    return (
        f'<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">'
        f"<title>{TITLE}</title><style>{_CSS}</style><h1>{TITLE}</h1>{''.join(parts)}</html>\n"
    )


def _text(evaluations: Sequence[Evaluation], drawn: Sequence[list[Figure]]) -> str:
    parts = [f"# {TITLE}", ""]
    for i, (evaluation, some) in enumerate(zip(evaluations, drawn, strict=True)):
        parts += [f"## {evaluation.name}", "", evaluation.about, "", *map(markdown, tables(evaluation))]
        for one in some:
            parts += [f"### {one.title}", "", f"![{one.title}]({_file(i, one)})", "", one.note, ""]
        if shown := [markdown(table) for table in walks(evaluation)]:
            parts += ["## Walks", "", *shown]
    return "\n".join(parts)


def _file(evaluation: int, figure: Figure) -> str:
    return f"{figure.name}-{evaluation + 1}.svg"
