"""Links between pages: what of them is text."""

import re

from docqn.parsers.wiki.pieces import ASIDE, ASIDE_END, Pieces, divided, joined, on_one_line, stripped

_FILE = re.compile(r"(?:file|image|media|datei|bild|fichier|archivo|imagen|immagine|bestand)\s*:", re.IGNORECASE)
_CATEGORY = re.compile(r"(?:category|kategorie|catégorie|categoría|categoria|categorie)\s*:", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:[a-z]{2,3}|simple)(?:-[a-z]+)*:\S")
_OPTION = re.compile(
    r"(?:thumb(?:nail)?|frame(?:d|less)?|border|left|right|cent(?:er|re)|none|upright|baseline|middle|sub|super|top|"
    r"text-top|bottom|text-bottom|mini|miniatur|vignette|gauche|droite|rechts|links)"
    r"|(?:thumb|upright|alt|link|page|class|lang|start|end|thumbtime)\s*=.*|(?:\d+)?(?:x\d+)?\s*px",
    re.IGNORECASE | re.DOTALL,
)
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)$|,.*$")


def link_text(inside: Pieces) -> Pieces:
    """What a link shows: its label or target; of a picture the caption; of a category or another language nothing."""
    target, *rest = divided(inside, "|")
    name = joined(target).strip()
    if _FILE.match(name):
        return _caption(rest)
    if _CATEGORY.match(name) or (not rest and _LANGUAGE.match(name)):
        return []
    if rest:
        label = stripped([piece for part in rest for piece in part])
        return label or [(_DISAMBIGUATION.sub("", name.lstrip(":").rpartition(":")[2]), target[0][1] if target else 0)]
    shown = stripped(target)
    if shown and shown[0][0].startswith(":"):
        shown[0] = shown[0][0][1:], shown[0][1] + 1
    return shown


def _caption(arguments: list[Pieces]) -> Pieces:
    """The last argument that is not an option of the picture, as a paragraph aside."""
    for argument in reversed(arguments):
        text = joined(argument).strip()
        if text and not _OPTION.fullmatch(text):
            return [(ASIDE, argument[0][1]), *on_one_line(stripped(argument)), (ASIDE_END, argument[0][1])]
    return []
