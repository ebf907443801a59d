"""`docqn corpus show`: a question, the outline of its documents, and where in them the answers are."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docqn.errors import DocqnError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from docqn.corpora.split import Example, Split
    from docqn.corpora.store import Corpus

CONTEXT = 160  # characters shown before and after an answer
SUGGESTED = 5


def command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder that `docqn corpus build` made.")],
    id: Annotated[str, typer.Argument(metavar="ID", help="Of a question, or of a pair: QuestionId--Filename.")],
    split: Annotated[str | None, typer.Option(metavar="NAME", help="Look in this split only.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no more than the ids of the pairs.")] = False,
) -> None:
    """Show a question, its answers, and each document's headings with the paragraphs that hold an answer.

    \b
    Examples:
      docqn corpus show corpus tc_40
      docqn corpus show corpus tc_40--Nile.html --split dev
    """  # noqa: D301 (the backslash keeps the lines of the examples)
    from docqn.corpora.store import Corpus

    opened = Corpus(corpus)
    where, place, pairs = _find(opened, id, split)
    (_print_json if json else _print_ids if quiet else _print)(where, place, pairs)


def _find(corpus: Corpus, id: str, only: str | None) -> tuple[Split, int, range]:
    """The first split that knows the id, the question's place in it and the pairs meant."""
    splits = [corpus.split(name) for name in ((only,) if only else corpus.splits)]
    for split in splits:
        if found := split.find(id):
            return split, *found
    ids = [known for split in splits for known in (*split.question_ids, *map(split.id, range(len(split))))]
    folded = {known.lower(): known for known in ids}
    near = [known for known in folded if id.lower() in known] or get_close_matches(id.lower(), folded, SUGGESTED)
    hint = f"; did you mean {', '.join(folded[known] for known in near[:SUGGESTED])}?" if near else ""
    raise DocqnError(f"{corpus.folder}: no question or pair has the id {id!r}{hint}")


def _print_ids(split: Split, place: int, pairs: range) -> None:
    for pair in pairs:
        print(split.id(pair))


def _print(split: Split, place: int, pairs: range) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console.soft_wrap = True  # a paragraph is a line, for grep and the like
    question = split.question_at(place)
    console.print(Text(question.text, style="bold"))
    console.print(Text(" | ".join(question.answers) or "no answers given", style="green"))
    for pair in pairs:
        example = split[pair]
        console.print(Text(f"\n{example.id} ({split.name})", style="dim"))
        for indent, line in _lines(example, marked=not console.is_terminal):
            if console.is_terminal:
                console.print(Padding(line, (0, 0, 0, indent), expand=False))
            else:
                console.print(Text(" " * indent).append(line))
    for document, fate in split.dropped_of(place):
        name = split.corpus.names[document] if document >= 0 else "a document"
        console.print(Text(f"\n{name}: dropped, {fate.label.replace('_', ' ')}", style="dim"))


def _lines(example: Example, marked: bool) -> Iterator[tuple[int, Text]]:
    """All headings, and the answer paragraphs below theirs, with how far each is indented; answers between brackets
    where there is no colour."""
    from rich.text import Text

    from docqn.document import SECTION, TITLE

    document = example.document
    answers, supporting = set(example.answer_paragraphs.tolist()), set(example.supporting.tolist())
    for node in range(len(document)):
        indent = 2 * int(document.depth[node])
        if document.kind[node] in (TITLE, SECTION):
            yield indent, Text(" ".join(document.text_of(node).split()), style="bold" if node == 0 else "")
        elif node in answers | supporting:
            line = Text().append(f"[{document.index[node]}] ", style="cyan")
            if node in supporting:
                line.append("supports ", style="magenta")
            yield indent, line.append(_excerpt(example, node, marked))


def _excerpt(example: Example, node: int, marked: bool) -> Text:
    """A paragraph around its answers, cut between words."""
    from rich.text import Text

    document = example.document
    begin, end = int(document.start[node]), int(document.end[node])
    spans = [(a, b) for a, b in example.answer_spans.tolist() if begin <= a and b <= end]
    first, last = begin, end
    if spans and spans[0][0] - CONTEXT > begin:
        first = document.text.find(" ", spans[0][0] - CONTEXT, spans[0][0]) + 1 or spans[0][0]
    if spans and spans[-1][1] + CONTEXT < end:
        last = max(document.text.rfind(" ", spans[-1][1], spans[-1][1] + CONTEXT), spans[-1][1])
    excerpt = Text("… " if first > begin else "")
    at = first
    for a, b in _apart(spans):
        excerpt.append(document.text[at:a])
        excerpt.append(f"[{document.text[a:b]}]" if marked else document.text[a:b], style="bold black on yellow")
        at = b
    excerpt.append(document.text[at:last] + (" …" if last < end else ""))
    return excerpt


def _apart(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, overlapping ones as one."""
    joined: list[tuple[int, int]] = []
    for a, b in sorted(spans):
        if joined and a < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(b, joined[-1][1]))
        else:
            joined.append((a, b))
    return iter(joined)


def _print_json(split: Split, place: int, pairs: range) -> None:
    import json

    question = split.question_at(place)
    dropped = [
        {"document": split.corpus.names[document] if document >= 0 else None, "reason": fate.label}
        for document, fate in split.dropped_of(place)
    ]
    values = {
        "id": question.id,
        "split": split.name,
        "question": question.text,
        "answers": question.answers,
        "pairs": [_pair(split[pair]) for pair in pairs],
        "dropped": dropped,
    }
    print(json.dumps(values, ensure_ascii=False))


def _pair(example: Example) -> dict[str, Any]:
    document = example.document
    paragraphs = [
        {
            "node": node,
            "index": int(document.index[node]),
            "path": [document.text_of(above) for above in document.path(node)[:-1]],
            "text": document.text_of(node),
            "supports": node in example.supporting,
        }
        for node in example.answer_paragraphs.tolist()
    ]
    return {"id": example.id, "title": document.title, "first_answer": example.first_answer, "paragraphs": paragraphs}
