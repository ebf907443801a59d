"""Training of readers: data, objectives, and a loop that stops at any time and goes on exactly where it was."""
