"""Sentences with offsets."""

import sentencex

WINDOW = 10_000  # characters given to the splitter at once; also the longest sentence, so that time stays linear


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
    at = 0
    while at < len(line):
        window = line[at : at + WINDOW]
        pieces = sentencex.segment(language, window)
        if at + WINDOW < len(line):
            if len(pieces) > 1:
                pieces.pop()
            else:  # one sentence fills the window: cut it, at a space if there is one
                pieces = [window[: window.rfind(" ") + 1] or window]
        for piece in pieces:
            end = at + len(piece)
            stripped = piece.strip()
            if stripped:
                start = at + len(piece) - len(piece.lstrip())
                spans.append((offset + start, offset + start + len(stripped)))
            at = end
