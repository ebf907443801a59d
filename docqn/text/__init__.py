"""Text: cleaning, tokens and sentences with offsets, answer normalisation."""
