"""Plain text: lines, running heads, numbering, headings and paragraphs."""
