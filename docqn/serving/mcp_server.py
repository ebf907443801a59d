"""A server of the Model Context Protocol: assistants ask documents, look into them and cite the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

import docqn
from docqn.document import PARAGRAPH, SECTION, SENTENCE, Document
from docqn.errors import DocqnError
from docqn.policies import policy as policy_named
from docqn.serving.defaults import reader as reader_named
from docqn.serving.navigator import Navigator
from docqn.serving.result import Candidate
from docqn.serving.served import Served

INSTRUCTIONS = """Answers questions from long documents with the exact place. Call `ask` first: it is fast. Cite the
document, the headings and the page or line that it gives. Where it has no answer, look at the `outline` and `read` the
section that seems right. Questions work best in English, in the words of the document."""
MOST_CHARACTERS = 20_000  # of one reading
MOST_HEADINGS = 400

P = ParamSpec("P")
T = TypeVar("T")


class Citation(BaseModel):
    """An answer with its place."""

    answer: str
    score: float = Field(description="how likely it is right, 0 to 1")
    document: str
    headings: list[str]
    paragraph: str
    page: int | None
    line: int | None
    node: int = Field(description="of the paragraph, for `read`")

    @classmethod
    def of(cls, found: Candidate, names: Mapping[str, str]) -> Citation:
        """From a result's candidate; `names` says how its document is called here."""
        at = found.evidence
        return cls(
            answer=found.answer,
            score=round(found.score, 3),
            document=names.get(at.source, at.source),
            headings=at.path,
            paragraph=at.paragraph,
            page=at.page,
            line=at.line,
            node=at.node,
        )


class Answered(BaseModel):
    """What came of a question."""

    answerable: bool = Field(description="whether the documents seem to hold an answer")
    answers: list[Citation] = Field(description="the best first; only guesses where it is not answerable")
    tokens_read: int
    tokens_total: int
    notes: list[str]


class Heading(BaseModel):
    """A line of an outline."""

    node: int
    depth: int
    text: str
    tokens: int = Field(description="of the section with all below it")


def create_server(
    sources: Sequence[str], *, policy: str = "default", reader: str = "default", cache: bool = True
) -> MCPServer[Any]:
    """The server over these documents and no others."""
    served = Served(sources, cache=cache, example=False)
    ids = {name: id for id, name in served.names.items()}
    navigates, reads = policy_named(policy), reader_named(reader)
    everything = Navigator(*sources, policy=navigates, reader=reads, cache=cache)
    server: MCPServer[Any] = MCPServer("docqn", instructions=INSTRUCTIONS, version=docqn.__version__, log_level="ERROR")

    def opened(name: str) -> Document:
        if name not in ids:
            raise DocqnError(f"there is no document {name!r}; `documents` lists them")
        return served.document(ids[name])

    @server.tool()
    @_telling
    def documents() -> list[str]:
        """The names of the documents that can be asked."""
        return [*ids]

    @server.tool()
    @_telling
    def ask(
        question: str,
        documents: Annotated[list[str] | None, Field(description="names; all if left out")] = None,
        answers: Annotated[int, Field(ge=1, le=10, description="how many")] = 3,
    ) -> Answered:
        """Find the answer to a question in the documents, with the place where it stands."""
        asked = [opened(name) for name in documents] if documents else None
        navigator = Navigator(*asked, policy=navigates, reader=reads, cache=cache) if asked else everything
        found = navigator.ask(question, top=answers)
        best = Candidate(found.answer, found.score, found.evidence) if found.answer and found.evidence else None
        return Answered(
            answerable=found.answerable,
            answers=[Citation.of(one, served.shown) for one in ([best] if best else []) + found.alternatives],
            tokens_read=found.tokens_read,
            tokens_total=found.tokens_total,
            notes=[served.without_folders(note) for note in found.notes],
        )

    @server.tool()
    @_telling
    def outline(document: str) -> list[Heading]:
        """The headings of a document, with the node to `read` each."""
        made = opened(document)
        sections = [node for node in range(len(made)) if made.kind[node] <= SECTION]
        while len(sections) > MOST_HEADINGS:  # the lowest go first
            deepest = max(int(made.depth[node]) for node in sections)
            kept = [node for node in sections if made.depth[node] < deepest]
            if not kept:
                break
            sections = kept
        return [_heading(made, node) for node in sections[:MOST_HEADINGS]]

    @server.tool()
    @_telling
    def read(
        document: str,
        node: int,
        skip: Annotated[int, Field(ge=0, description="characters to leave out, to read on")] = 0,
    ) -> str:
        """The text of a section or paragraph with all below it."""
        made = opened(document)
        if not 0 <= node < len(made):
            raise DocqnError(f"{document} has no node {node}; `outline` gives them")
        text = _text(made, node)
        part = text[skip : skip + MOST_CHARACTERS]
        left = len(text) - skip - len(part)
        return part + (f"\n\n[{left} characters more; read on with skip={skip + len(part)}]" if left > 0 else "")

    return server


def _telling(tool: Callable[P, T]) -> Callable[P, T]:
    """The tool, telling the assistant what is wrong."""

    @wraps(tool)
    def told(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return tool(*arguments, **named)
        except DocqnError as error:
            raise ToolError(str(error)) from error

    return told


def _heading(document: Document, node: int) -> Heading:
    tokens = int(document.end_token[document.last[node]] - document.first_token[node])
    return Heading(node=node, depth=int(document.depth[node]), text=document.text_of(node), tokens=tokens)


def _text(document: Document, node: int) -> str:
    """Headings marked as in Markdown, and paragraphs."""
    parts = []
    for below in range(node, int(document.last[node]) + 1):
        if document.kind[below] <= SECTION:
            parts.append(f"{'#' * (int(document.depth[below]) + 1)} {document.text_of(below)}")
        elif document.kind[below] == PARAGRAPH or (document.kind[below] == SENTENCE and below == node):
            parts.append(document.text_of(below))
    return "\n\n".join(parts)
