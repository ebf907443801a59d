"""What the parts of a Word document say."""
