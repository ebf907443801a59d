"""Articles in JATS and NLM XML, as a stream of events."""
