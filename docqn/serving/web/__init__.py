"""The HTTP API and the web page of `docqn serve`: the one part that needs the extra `serve`."""
