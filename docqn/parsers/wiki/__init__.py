"""Wikitext: mark-up taken off in one pass that keeps offsets, then lines as headings, lists, tables and paragraphs."""
