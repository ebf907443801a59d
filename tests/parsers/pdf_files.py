"""PDF files made for tests, benchmarks and fuzzing: a small writer, and a typesetter that fills pages with it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

FONTS = ("Times-Roman", "Times-Bold", "Times-Italic", "Helvetica", "Helvetica-Bold", "Courier", "Courier-Bold")
LETTER = 612.0, 792.0

PIECES = ("line", "spaced", "word", "glyph")  # what one text object holds; "line" moves over spaces as TeX does

WORDS = """agent answer archive basin bridge cargo census chapter climate colony council decade delta desert dialect
document empire estate fabric faculty famine figure forest fortress garden glacier granite harbour
heritage history island journal kingdom language league library market measure memory method mineral
monsoon museum nation network number office orchard ocean paragraph parish passage people period pilgrim
plateau policy port province question quarry railway record region reptile river route season section
senate settler shelter signal society station summit survey system temple territory theatre tradition
treaty valley village volcano winter""".split()


@dataclass(frozen=True)
class Bookmark:
    title: str
    level: int
    page: int  # from 0; -1 leads nowhere
    top: float | None  # points from the top of the page


@dataclass
class PdfFile:
    """A file under construction. Places are points from the left and the top."""

    title: str = ""
    size: tuple[float, float] = LETTER
    rotate: int = 0
    packed: bool = True
    pages: list[list[str]] = field(default_factory=list)
    bookmarks: list[Bookmark] = field(default_factory=list)

    def page(self) -> None:
        self.pages.append([])

    def text(self, x: float, top: float, text: str, size: float = 10, font: str = FONTS[0], **how: float | str) -> None:
        """One line: `piece` of PIECES, `spread` more points between words, `turn` 1 to run upwards."""
        piece, spread = how.get("piece", "spaced"), float(how.get("spread", 0.0))
        at, words = x, text.split(" ")
        for word in words if piece in ("word", "glyph") else [text]:
            for part in word if piece == "glyph" else [word]:
                self.pages[-1].append(self._show(at, top, part, size, font, spread, str(piece), bool(how.get("turn"))))
                at += width(part, size, font)
            at += width(" ", size, font) + spread

    def _show(
        self, x: float, top: float, text: str, size: float, font: str, spread: float, piece: str, turn: bool
    ) -> str:
        place = f"0 1 -1 0 {top:.2f} {x:.2f} Tm" if turn else f"1 0 0 1 {x:.2f} {self.size[1] - top:.2f} Tm"
        head = f"BT /F{FONTS.index(font)} {size:g} Tf {place} "
        if piece != "line":
            return f"{head}{spread:.3f} Tw {_string(text)} Tj ET"
        gap = -1000 * (width(" ", size, font) + spread) / size
        return f"{head}[{f' {gap:.1f} '.join(_string(word) for word in text.split(' '))}] TJ ET"

    def drawing(self) -> None:
        """A picture, as far as text goes: a filled box."""
        self.pages[-1].append("0.5 g 100 300 300 200 re f")

    def bytes(self) -> bytes:
        """The file."""
        kids = range(10, 10 + 2 * len(self.pages), 2)
        outline = self._outline(10 + 2 * len(self.pages))
        objects = {
            1: f"<< /Type /Catalog /Pages 2 0 R{' /Outlines 3 0 R' if outline else ''} >>",
            2: f"<< /Type /Pages /Count {len(self.pages)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>",
            9: f"<< /Title {_string(self.title)} >>",
        } | outline
        fonts = "".join(
            f"/F{i} << /Type /Font /Subtype /Type1 /BaseFont /{name} {ENCODING} >> " for i, name in enumerate(FONTS)
        )
        box = f"/MediaBox [0 0 {self.size[0]:g} {self.size[1]:g}] /Rotate {self.rotate}"
        streams = {}
        for kid, operations in zip(kids, self.pages, strict=True):
            objects[kid] = (
                f"<< /Type /Page /Parent 2 0 R {box} /Contents {kid + 1} 0 R /Resources << /Font << {fonts}>> >> >>"
            )
            streams[kid + 1] = "\n".join(operations).encode("cp1252")
        return assemble(objects, streams, packed=self.packed)

    def _outline(self, first: int) -> dict[int, str]:
        """The objects of the outline, from object `first` on; 3 is its root."""
        if not self.bookmarks:
            return {}
        numbers = {i: first + i for i in range(len(self.bookmarks))} | {-1: 3}
        parents, open_at = [], [(-1, 0)]
        for i, bookmark in enumerate(self.bookmarks):
            while open_at[-1][1] >= bookmark.level:
                open_at.pop()
            parents.append(open_at[-1][0])
            open_at.append((i, bookmark.level))
        children: dict[int, list[int]] = {}
        for i, parent in enumerate(parents):
            children.setdefault(parent, []).append(i)
        entries: dict[int, list[str]] = {i: [] for i in range(-1, len(parents))}
        for parent, group in children.items():
            entries[parent] += [f"/First {numbers[group[0]]} 0 R /Last {numbers[group[-1]]} 0 R /Count {len(group)}"]
            for left, right in pairwise(group):
                entries[left].append(f"/Next {numbers[right]} 0 R")
                entries[right].append(f"/Prev {numbers[left]} 0 R")
        for i, bookmark in enumerate(self.bookmarks):
            entries[i] += [f"/Title {_string(bookmark.title)} /Parent {numbers[parents[i]]} 0 R"]
            if bookmark.page >= 0:
                view = "/Fit" if bookmark.top is None else f"/XYZ 0 {self.size[1] - bookmark.top:.1f} null"
                entries[i].append(f"/Dest [{10 + 2 * bookmark.page} 0 R {view}]")
        return {numbers[i]: f"<< {' '.join(parts)} >>" for i, parts in entries.items()}


# Ligatures have no place in the usual encoding; 1, 2 and 3 stand for them. 173 is the soft hyphen's hyphen.
ENCODING = "/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /fl /ffi] >>"


def _string(text: str) -> str:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return "(" + escaped.replace("ﬁ", "\x01").replace("ﬂ", "\x02").replace("ﬃ", "\x03") + ")"


def assemble(
    objects: dict[int, str], streams: dict[int, bytes], trailer: str = "/Root 1 0 R /Info 9 0 R", packed: bool = True
) -> bytes:
    """The objects with a table of where they are."""
    out = bytearray(b"%PDF-1.4\n")
    places = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    for number, stream in streams.items():
        places[number] = len(out)
        content = zlib.compress(stream) if packed else stream
        out += f"{number} 0 obj\n<< /Length {len(content)}{' /Filter /FlateDecode' * packed} >>\nstream\n".encode()
        out += content + b"\nendstream\nendobj\n"
    start, size = len(out), max(places) + 1
    out += f"xref\n0 {size}\n".encode()
    for number in range(size):
        out += (f"{places[number]:010d} 00000 n \n" if number in places else "0000000000 65535 f \n").encode()
    return bytes(out + f"trailer << /Size {size} {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode())


@cache
def _advances(font: str) -> tuple[float, ...]:
    """The widths of the characters from space to tilde at size 1, as PDFium has them."""
    import ctypes

    import pypdfium2
    import pypdfium2.raw as raw

    pdf = pypdfium2.PdfDocument.new()
    handle = raw.FPDFText_LoadStandardFont(pdf.raw, font.encode())
    width = ctypes.c_float()
    widths = []
    for code in range(32, 127):
        raw.FPDFFont_GetGlyphWidth(handle, code, 1000.0, width)
        widths.append(width.value / 1000)
    raw.FPDFFont_Close(handle)
    pdf.close()
    return tuple(widths)


def width(text: str, size: float, font: str) -> float:
    """How wide the text is set."""
    advances = _advances(font)
    return size * sum(advances[ord(char) - 32] if 32 <= ord(char) < 127 else 0.5 for char in text)
