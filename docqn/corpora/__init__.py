"""Question–document examples on disk: reading question files, building a corpus, opening it."""
