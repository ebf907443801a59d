"""The trained agent at work, without torch."""
