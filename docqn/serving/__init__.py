"""Answers for people and programs: from files and a question to a result, on the command line, over HTTP, by MCP."""
