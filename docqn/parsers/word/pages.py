"""On which page of a Word document we are: Word notes where pages began when it last laid the document out."""


class Pages:
    """Counts page breaks, those that the author made and those that Word noted."""

    def __init__(self) -> None:
        self.now = 1
        self._has_text = False
        self._forced = False  # by the author, and there is no text on the page yet

    def text(self) -> None:
        """There is text here."""
        self._has_text, self._forced = True, False

    def force(self) -> None:
        """The author breaks the page."""
        self.now += 1
        self._has_text, self._forced = False, True

    def force_before(self) -> None:
        """The author wants a paragraph at the top of a page."""
        if self._has_text:
            self.force()

    def note(self) -> None:
        """Word began a page here, perhaps because of a break by the author just before."""
        if not self._forced:
            self.now += 1
        self._has_text, self._forced = False, False
