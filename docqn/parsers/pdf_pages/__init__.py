"""PDF pages: from what PDFium draws to lines, in reading order, and what they are."""
