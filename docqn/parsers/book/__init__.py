"""What the parts of an EPUB book say."""
