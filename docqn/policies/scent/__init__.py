"""Scent: how promising each paragraph smells from afar, by what an inverted index over its document tells."""
