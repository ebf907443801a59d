"""Errors that are the user's to see: one line, no traceback."""


class DocqnError(Exception):
    """The base of all of them; the command line prints the message and exits with status 2."""


def reason(error: BaseException) -> str:
    """Why something failed, without number and file name where the system says it in words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


class ParseError(DocqnError):
    """A source that cannot become a document, and why."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(source, reason)  # both, so that the error survives the way back from another process
        self.source = source
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"
