"""The paragraphs of a Word document, from the XML of its main part as a stream.

It is read directly rather than with python-docx, which passes over content controls and text boxes, keeps fields'
instructions, hidden text and deleted rows, and builds a tree of a hundred times the text.
"""

import re

from docqn.errors import ParseError
from docqn.parsers.decoding import MOST_TEXT
from docqn.parsers.word.fields import Fields, is_contents
from docqn.parsers.word.found import Found, Paragraph
from docqn.parsers.word.pages import Pages
from docqn.parsers.word.styles import Style, Styles, is_on
from docqn.parsers.word.tables import Row, Table, TableCell

Attributes = dict[str, str]

NAMESPACES = {  # and what names in them begin with here; the second address of each pair is that of strict documents
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m:",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m:",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc:",
    "http://www.w3.org/XML/1998/namespace": "xml:",
}
# What was deleted, moved away or otherwise before a change, and how words are pronounced.
LEFT_OUT = frozenset(
    """del delInstrText delText moveFrom pPrChange rPrChange rt sectPrChange tblPrChange tblPrExChange tcPrChange
    trPrChange""".split()
)
DOUBTFUL = LEFT_OUT.union(["mc:Choice", "mc:Fallback", "sdtContent", "fldSimple"])  # these may be, or are
HEARD = frozenset(["t", "m:t", "instrText"])  # elements with text
SIGNS = {"tab": " ", "ptab": " ", "noBreakHyphen": "-", "m:den": "/", "m:sup": "^", "m:oMath": " "}
STARTING = frozenset(
    "body p r tbl tr tc txbxContent br cr sym lastRenderedPageBreak fldChar sdt mc:AlternateContent".split()
)
ENDING = frozenset("body p pPr r tbl tc txbxContent sdt mc:AlternateContent".split())
RUN_PROPERTIES = frozenset("b rStyle sz vanish vertAlign".split())
PARAGRAPH_PROPERTIES = frozenset("numId outlineLvl pageBreakBefore pStyle".split())
TABLE_PROPERTIES = frozenset("gridBefore gridSpan tblHeader tblLook tblStyle vMerge".split())
CONTROL_PROPERTIES = frozenset("docPartGallery showingPlcHdr".split())
CONTENTS_GALLERY = "Table of Contents"
SYMBOLS = dict(  # of the font Symbol, which puts Greek on Latin letters
    zip(range(0xF041, 0xF07B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)
) | {0xF0A3: "≤", 0xF0B0: "°", 0xF0B1: "±", 0xF0B3: "≥", 0xF0B4: "×", 0xF0B9: "≠", 0xF0BB: "≈"}
PRIVATE = range(0xE000, 0xF900)  # characters that mean something only in their font

DEEPEST = 50  # tables and text boxes within one another

_HEXADECIMAL = re.compile("[0-9A-Fa-f]{1,4}")
_FIRST_ROW_BIT = 0x20
_NUMBER = re.compile(r"\s*[+\-−–]?\d+\s*")


class _Run:
    """What a run says of its text; None where it says nothing."""

    def __init__(self) -> None:
        self.style = Style()
        self.bold: bool | None = None
        self.hidden: bool | None = None
        self.raised = False
        self.size = 0


_NO_RUN = _Run()


class _Place:
    """Where paragraphs go: the body, a cell, a text box."""

    def __init__(self, found: list[Found]) -> None:
        self.found = found
        self.paragraph: Paragraph | None = None
        self.unfinished: Paragraph | None = None  # the next one continues it
        self.run = _NO_RUN


class BodyReader:
    """Hears the main part's XML. Without fields, their marks mean nothing: for documents where one never ends."""

    def __init__(self, source: str, styles: Styles, with_fields: bool = True) -> None:
        self.found: list[Found] = []
        self.has_body = False
        self.pages = Pages()
        self.fields = Fields()
        self._with_fields = with_fields
        self._source = source
        self._styles = styles
        self._length = 0  # of all text found
        self._open: list[str] = []
        self._left_out = 0  # how deep in an element that is left out
        self._alternatives: list[bool] = []  # of those that are open, whether one has been taken
        self._controls: list[bool] = []  # of the content controls that are open, whether they are left out
        self._places = [_Place(self.found)]
        self._tables: list[Table] = []
        self._heard: list[str] | None = None  # text of the open element, if it is one of HEARD
        self._keeps_space = False

    # Events

    def start(self, tag: str, attributes: Attributes, line: int) -> None:
        """An element begins."""
        if self._left_out or (tag in DOUBTFUL and self._is_left_out(tag, attributes)):
            self._left_out += 1
            return
        self._open.append(tag)
        if tag in HEARD:
            self._heard = []
            self._keeps_space = attributes.get("xml:space") == "preserve"
        elif tag in SIGNS:
            self._add(SIGNS[tag])
        elif tag in STARTING:
            self._start(tag, attributes)
        elif tag in RUN_PROPERTIES:
            self._read_run_property(tag, attributes.get("val"))
        elif tag in PARAGRAPH_PROPERTIES:
            self._read_paragraph_property(tag, attributes.get("val"))
        elif tag in TABLE_PROPERTIES:
            self._read_table_property(tag, attributes)
        elif tag in CONTROL_PROPERTIES and self._controls:
            value = attributes.get("val")
            self._controls[-1] |= value == CONTENTS_GALLERY if tag == "docPartGallery" else is_on(value)

    def text(self, text: str, line: int) -> None:
        """Text within the open elements."""
        if self._heard is not None:
            self._heard.append(text)

    def end(self, tag: str) -> None:
        """An element ends."""
        if self._left_out:
            self._left_out -= 1
            return
        self._open.pop()
        if tag in HEARD:
            text, self._heard = "".join(self._heard or ()), None
            if tag == "instrText":
                self.fields.say(text)
            else:
                self._add(text if self._keeps_space else text.strip())
        elif tag in ENDING:
            self._end(tag)

    def _is_left_out(self, tag: str, attributes: Attributes) -> bool:
        if tag in ("mc:Choice", "mc:Fallback") and self._alternatives:
            taken, self._alternatives[-1] = self._alternatives[-1], True
            return taken
        if tag == "sdtContent":
            return bool(self._controls) and self._controls[-1]
        if tag == "del":
            self._mark_deleted()
        return tag in LEFT_OUT or (tag == "fldSimple" and is_contents(attributes.get("instr", "")))

    def _mark_deleted(self) -> None:
        """A deletion among properties is that of a paragraph's end, or of a table's row."""
        paragraph, row = self._places[-1].paragraph, self._row()
        if self._open[-2:] == ["pPr", "rPr"] and paragraph:
            paragraph.goes_on = True
        elif self._open[-1:] == ["trPr"] and row:
            row.deleted = True

    # Structure

    def _start(self, tag: str, attributes: Attributes) -> None:
        match tag:
            case "p":
                self._start_paragraph()
            case "r":
                self._places[-1].run = _Run()
            case "br" | "cr":
                self._break(attributes.get("type", ""))
            case "lastRenderedPageBreak":
                self.pages.note()
            case "sym":
                self._add(_symbol(attributes))
            case "fldChar":
                if self._with_fields:
                    self.fields.mark(attributes.get("fldCharType", ""))
            case "tbl":
                self._end_paragraph()
                self._tables.append(Table())
            case "tr" if self._tables:
                self._tables[-1].rows.append(Row())
            case "tc" if self._tables:
                self._start_cell(self._tables[-1])
            case "txbxContent":
                self._start_place([])
            case "sdt":
                self._controls.append(False)
            case "mc:AlternateContent":
                self._alternatives.append(False)
            case "body":
                self.has_body = True

    def _end(self, tag: str) -> None:
        match tag:
            case "p":
                self._end_paragraph()
            case "pPr":
                self._end_paragraph_properties()
            case "r":
                self._places[-1].run = _NO_RUN
            case "tbl":
                self._keep(self._tables.pop().found())
            case "tc" if self._tables:
                self._end_place()
            case "txbxContent":
                self._end_boxes(self._end_place())
            case "sdt":
                self._controls.pop()
            case "mc:AlternateContent":
                self._alternatives.pop()
            case "body":
                self._finish_place()

    def _start_place(self, found: list[Found]) -> None:
        if len(self._places) > DEEPEST:
            raise ParseError(self._source, f"nests tables and text boxes more than {DEEPEST} deep")
        self._places.append(_Place(found))

    def _end_place(self) -> list[Found]:
        self._finish_place()
        return self._places.pop().found

    def _finish_place(self) -> None:
        self._end_paragraph()
        place = self._places[-1]
        if place.unfinished:
            self._keep(place.unfinished.found())
            place.unfinished = None

    def _end_boxes(self, found: list[Found]) -> None:
        """What stands in text boxes follows the paragraph that they are anchored in."""
        place = self._places[-1]
        (place.paragraph.boxes if place.paragraph else place.found).extend(found)

    def _keep(self, found: list[Found]) -> None:
        self._places[-1].found.extend(found)
        self._length += sum(len(paragraph.block.text) for paragraph in found)
        if self._length > MOST_TEXT:
            raise ParseError(self._source, f"holds more than {MOST_TEXT >> 20} MB of text; split it")

    # Paragraphs

    def _start_paragraph(self) -> None:
        self._end_paragraph()
        place = self._places[-1]
        place.paragraph, place.unfinished = place.unfinished or Paragraph(), None
        place.paragraph.begin(self._styles.paragraph(""))

    def _end_paragraph(self) -> None:
        place = self._places[-1]
        paragraph, place.paragraph = place.paragraph, None
        if paragraph and paragraph.goes_on:
            place.unfinished = paragraph
        elif paragraph:
            self._keep(paragraph.found())

    def _read_paragraph_property(self, tag: str, value: str | None) -> None:
        paragraph = self._places[-1].paragraph
        if not paragraph:
            return
        match tag:
            case "pStyle":
                paragraph.style = self._styles.paragraph(value or "")
            case "outlineLvl":
                paragraph.outline = whole(value)
            case "numId":
                paragraph.list_id = whole(value)
            case "pageBreakBefore":
                paragraph.breaks_page = is_on(value)

    def _end_paragraph_properties(self) -> None:
        paragraph = self._places[-1].paragraph
        if paragraph and (paragraph.style.breaks_page if paragraph.breaks_page is None else paragraph.breaks_page):
            self.pages.force_before()

    # Text

    def _read_run_property(self, tag: str, value: str | None) -> None:
        if self._open[-3:-1] != ["r", "rPr"]:  # there are properties of a paragraph's end too
            return
        run = self._places[-1].run
        match tag:
            case "rStyle":
                run.style = self._styles.style(value or "")
            case "b":
                run.bold = is_on(value)
            case "vanish":
                run.hidden = is_on(value)
            case "vertAlign":
                run.raised = value == "superscript"
            case "sz":
                run.size = whole(value)

    def _add(self, text: str) -> None:
        """Text of a run or formula."""
        place = self._places[-1]
        paragraph, run = place.paragraph, place.run
        if paragraph is None or self._is_hidden(paragraph, run):
            return
        if run.raised and paragraph.last.isdecimal() and _NUMBER.fullmatch(text):
            text = "^" + text  # 10 to the 6th is not 106
        bold = run.bold if run.bold is not None else run.style.bold or paragraph.style.bold
        paragraph.add(text, self.pages.now, bold, run.size or paragraph.style.size)
        if text and not text.isspace():
            self.pages.text()

    def _break(self, kind: str) -> None:
        """A break of the line, column or page."""
        place = self._places[-1]
        if place.paragraph and not self._is_hidden(place.paragraph, place.run):
            place.paragraph.text.line_break()
            if kind == "page":
                self.pages.force()

    def _is_hidden(self, paragraph: Paragraph, run: _Run) -> bool:
        hidden = run.hidden if run.hidden is not None else run.style.hidden or paragraph.style.hidden
        return hidden or self.fields.hide()

    # Tables

    def _row(self) -> Row | None:
        return self._tables[-1].rows[-1] if self._tables and self._tables[-1].rows else None

    def _start_cell(self, table: Table) -> None:
        self._end_paragraph()
        if not table.rows:
            table.rows.append(Row())
        cell = TableCell()
        table.rows[-1].cells.append(cell)
        self._start_place(cell.found)

    def _read_table_property(self, tag: str, attributes: Attributes) -> None:
        value, row = attributes.get("val"), self._row()
        cell = row.cells[-1] if row and row.cells else None
        if tag == "tblStyle" and self._tables:
            self._tables[-1].has_head_style = self._styles.style(value or "").has_head_row
        elif tag == "tblLook" and self._tables:
            self._tables[-1].has_look = _shows_first_row(attributes)
        elif tag == "tblHeader" and row:
            row.repeats = is_on(value)
        elif tag == "gridBefore" and row:
            row.skipped = whole(value)
        elif tag == "gridSpan" and cell:
            cell.columns = whole(value)
        elif tag == "vMerge" and cell:
            cell.continues = value != "restart"


def whole(value: str | None) -> int:
    """A number that should be a whole one and not negative; else 0."""
    return int(value) if value and value.isascii() and value.isdecimal() and len(value) < 8 else 0


def _shows_first_row(attributes: Attributes) -> bool:
    """Whether a table's look distinguishes its first row; older files say it by a bit."""
    if "firstRow" in attributes:
        return is_on(attributes["firstRow"])
    value = attributes.get("val", "")
    return bool(_HEXADECIMAL.fullmatch(value)) and bool(int(value, 16) & _FIRST_ROW_BIT)


def _symbol(attributes: Attributes) -> str:
    """A character given by number, since its font shows something else at it."""
    code = attributes.get("char", "")
    number = int(code, 16) if _HEXADECIMAL.fullmatch(code) else 0
    if attributes.get("font") == "Symbol" and number in SYMBOLS:
        return SYMBOLS[number]
    return "" if number in PRIVATE or not number else chr(number)
