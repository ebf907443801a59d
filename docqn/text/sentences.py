"""Sentences with offsets."""

import sentencex

WINDOW = 2_500  # characters given to the splitter at once: its time grows with their square
LONGEST = 10_000  # a sentence of more characters is cut


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Offsets of the sentences of a paragraph, without surrounding space. A line break always ends a sentence."""
    spans: list[tuple[int, int]] = []
    offset = 0
    for line in text.split("\n"):
        _line_spans(line, offset, language, spans)
        offset += len(line) + 1
    return spans


def _line_spans(line: str, offset: int, language: str, spans: list[tuple[int, int]]) -> None:
    """Append the spans of one line, in windows that overlap by their last, perhaps unfinished, sentence."""
    at, size = 0, WINDOW
    while at < len(line):
        window = line[at : at + size]
        pieces = sentencex.segment(language, window)
        if at + size < len(line):
            if len(pieces) > 1:
                pieces.pop()
            elif size < LONGEST:
                size *= 2
                continue
            else:  # one sentence fills the window: cut it, at a space if there is one
                pieces = [window[: window.rfind(" ") + 1] or window]
        for piece in pieces:
            end = at + len(piece)
            stripped = piece.strip()
            if stripped:
                start = at + len(piece) - len(piece.lstrip())
                spans.append((offset + start, offset + start + len(stripped)))
            at = end
        size = WINDOW
