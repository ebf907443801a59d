"""How good a reader is by itself: on SQuAD, and in choosing among the paragraphs of a document."""
