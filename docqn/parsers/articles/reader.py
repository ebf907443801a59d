"""The blocks of a JATS or NLM article, from its XML as a stream."""

import re

from docqn.build import Block
from docqn.errors import ParseError
from docqn.parsers.articles.boxes import Boxes
from docqn.parsers.articles.tables import PARTS, TABLES, ArticleTables
from docqn.parsers.articles.text import BREAK, SPANS, Attributes, RunningText, passage
from docqn.parsers.decoding import MOST_TEXT

SECTIONS = {  # elements that may have a heading, and what it is if the article gives none
    "article": "",
    "sub-article": "",
    "response": "",
    "abstract": "Abstract",
    "trans-abstract": "Abstract",
    "sec": "",
    "ack": "Acknowledgements",
    "app": "Appendix",
    "bio": "",
    "fn-group": "Notes",
    "glossary": "Glossary",
    "notes": "Notes",
    "floats-group": "Figures and tables",
    "floats-wrap": "Figures and tables",
}
MAIN_TEXT = "Main text"  # what is before the first section, if it follows an abstract
# In these no section begins, since what comes after them would stand in it.
ENCLOSING = frozenset("disp-quote fig list-item p statement table-wrap table-wrap-foot td th entry".split())
BLOCKS = frozenset(  # a paragraph begins and ends with these
    """attrib back body boxed-text chem-struct-wrap code def-item def-list fn list media preformat speech
    supplementary-material title title-group verse-group""".split()
).union(SECTIONS, ENCLOSING)
TITLES = ("title", "title-group")
JOINED = ("label", "term", "speaker")  # these go before the text of the block that follows
LITERAL = ("code", "preformat")  # line breaks count in these
SEPARATED = {"break": BREAK, "verse-line": BREAK, "disp-formula": " "}  # and what separates them from other text

LEFT_OUT = frozenset(
    """alt-text annotation annotation-xml contrib-group custom-meta-group def-head funding-group graphic index-term
    inline-graphic journal-meta kwd-group long-desc object-id permissions processing-meta ref-list related-article
    related-object sec-meta subj-group term-head""".split()
)
KEPT_CHILDREN = {  # of elements that hold much about the article that is not its text
    "front": frozenset(["article-meta"]),
    "article-meta": frozenset(["title-group", "abstract", "trans-abstract"]),
    "front-stub": frozenset(["title-group", "abstract", "trans-abstract"]),
    "title-group": frozenset(["article-title", "subtitle"]),
}
NOTE_LISTS = ("fn-group", "table-wrap-foot")  # notes elsewhere would stand in the middle of a sentence

_WORD = re.compile(r"[^\W\d_]{2}")


class _Section:
    """A section that is open."""

    def __init__(self, depth: int, heading: str, line: int) -> None:
        self.depth = depth  # how many elements are open around it
        self.heading = heading  # unless it has a title
        self.line = line
        self.level = 0  # of its heading, or of the one around it if it has none; known once it has begun


class ArticleReader:
    """Hears an article's XML and makes its blocks: the article's title on level 1, its sections below."""

    def __init__(self, source: str) -> None:
        self.blocks: list[Block] = []
        self.language = "en"
        self._source = source
        self._length = 0  # of the text of all blocks
        self._line = 1
        self._open: list[str] = []  # elements
        self._left_out = 0  # how deep in an element that is left out
        self._enclosing = 0  # how many of ENCLOSING are open
        self._literal = 0  # how many of LITERAL are
        self._sections: list[_Section] = []
        self._begun = 0  # how many of the open sections have their heading by now, or text without one
        self._level = 0  # of the last heading
        self._body_begins = False  # whether there has been a body, but no text in it
        self._continues = False  # whether the next block goes on with the text at hand, one of JOINED
        self._boxes = Boxes(self.blocks)
        self._text = RunningText()
        self._tables = ArticleTables(source, self._text, self._emit)

    def start(self, tag: str, attributes: Attributes, line: int) -> None:
        """An element begins."""
        if self._left_out or self._is_left_out(tag):
            self._left_out += 1
            return
        self._line = line
        if tag in BLOCKS or tag in TABLES:
            self._begin_block(tag)
        if tag in SECTIONS:
            self._begin_section(tag, attributes)
        elif tag in PARTS:
            self._tables.start(tag, attributes)
        elif tag in SPANS:
            self._text.start(tag, attributes, len(self._open))
        elif tag in SEPARATED:
            self._text.add(SEPARATED[tag], line)
        elif tag == "subtitle":
            self._text.add(self._colon(), line)
        elif tag == "boxed-text":
            self._boxes.begin()
        self._open.append(tag)
        self._enclosing += tag in ENCLOSING
        self._literal += tag in LITERAL

    def text(self, text: str, line: int) -> None:
        """Text within the open elements."""
        if not self._left_out:
            self._line = line
            self._text.add(text.replace("\n", BREAK) if self._literal else text, line)

    def end(self, tag: str) -> None:
        """An element ends."""
        if self._left_out:
            self._left_out -= 1
            return
        self._open.pop()
        self._enclosing -= tag in ENCLOSING
        self._literal -= tag in LITERAL
        self._text.end(tag, len(self._open), self._line)
        if tag in PARTS:
            self._tables.end(tag)
        elif tag in TITLES:
            self._end_title(tag)
        elif tag in BLOCKS:
            self._end_block()
            if tag == "boxed-text":
                self._boxes.end()
        elif tag in JOINED:
            self._end_joined(tag)
        elif tag in SEPARATED and tag != "break":
            self._text.add(SEPARATED[tag], self._line)
        if self._sections and self._sections[-1].depth == len(self._open):
            self._sections.pop()
            self._begun = min(self._begun, len(self._sections))

    def _is_left_out(self, tag: str) -> bool:
        parent = self._parent()
        return (
            tag in LEFT_OUT
            or (parent in KEPT_CHILDREN and tag not in KEPT_CHILDREN[parent])
            or (tag == "fn" and parent not in NOTE_LISTS)
            or (tag == "label" and parent == "fn")
        )

    def _parent(self) -> str:
        return self._open[-1] if self._open else ""

    # Paragraphs

    def _begin_block(self, tag: str) -> None:
        if tag == "body":
            self._body_begins = True
        if self._continues and tag not in SECTIONS and tag not in TABLES:
            self._continues = False
        else:
            self._end_block()

    def _end_block(self) -> None:
        self._continues = False
        if self._tables.in_cell:
            self._text.add(" ", self._line)  # a cell is on one line, whatever it holds
        elif self._text:
            self._emit(passage(self._text.take()).block())

    def _end_joined(self, tag: str) -> None:
        """`Figure 1: …`, `1. …`."""
        named = tag != "label" or _WORD.search(self._text.last())
        self._text.add(self._colon() if named else " ", self._line)
        self._continues = self._parent() in BLOCKS

    def _colon(self) -> str:
        """What stands between the text so far, a name or title, and what belongs to it."""
        return ": " if self._text.last().rstrip()[-1:].isalnum() else " "

    def _emit(self, block: Block) -> None:
        """Add a paragraph, with the headings of sections that begin with it before it."""
        if block.text:
            self._begin_sections(len(self._sections))
            level = self._sections[-1].level if self._sections else 0
            if self._body_begins and self._level > level:  # the text would belong to the abstract
                self._append(Block(MAIN_TEXT, level + 1, block.line))
            self._body_begins = False
            self._append(block)

    def _append(self, block: Block) -> None:
        if block.level:
            self._boxes.heading()
        else:
            self._boxes.text()
        self.blocks.append(block)
        self._level = block.level or self._level
        self._length += len(block.text)
        if self._length > MOST_TEXT:
            raise ParseError(self._source, f"holds more than {MOST_TEXT >> 20} MB of text; split it")

    # Sections

    def _begin_section(self, tag: str, attributes: Attributes) -> None:
        if tag == "article" and not self.blocks:
            self.language = attributes.get("lang", "en")
        if not self._enclosing:
            heading = SECTIONS[tag]
            if tag == "trans-abstract" and "lang" in attributes:
                heading += f" ({attributes['lang']})"
            self._sections.append(_Section(len(self._open), heading, self._line))

    def _end_title(self, tag: str) -> None:
        """A title is its section's heading, if the section begins with it; else a paragraph, or begins a caption."""
        is_of_section = self._sections and (tag == "title-group" or self._sections[-1].depth == len(self._open) - 1)
        if is_of_section and self._begun < len(self._sections):
            self._continues = False
            found = passage(self._text.take())
            if found.marks():
                self._begin_sections(len(self._sections) - 1)
                self._sections[-1].heading = found.one_line()
                self._sections[-1].line = found.marks()[0][1]
                self._begin_sections(len(self._sections))
        elif self._parent() == "caption":
            self._text.add(" ", self._line)
            self._continues = True
        else:
            self._end_block()

    def _begin_sections(self, count: int) -> None:
        """Add the headings of the first so many open sections, where they are still to come."""
        for i in range(self._begun, count):
            section = self._sections[i]
            section.level = (self._sections[i - 1].level if i else 0) + bool(section.heading)
            if section.heading:
                self._append(Block(section.heading, section.level, section.line))
        self._begun = max(self._begun, count)
