"""The Markov decision process of navigating a document, for one cursor or thousands."""
