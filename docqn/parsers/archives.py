"""Zip archives from anywhere, read in memory; what a member claims is checked before it is inflated."""

import posixpath
from io import BytesIO

from docqn.errors import ParseError
from docqn.text.clean import collapse

MOST_MEMBERS = 20_000
MOST_INFLATED = 256 << 20  # bytes of all members read from one archive
MOST_RATIO = 200  # of a member's size to its compressed size, once it is larger than …
ANY_RATIO = 16 << 20
_ENTRY = b"PK\x01\x02"  # begins each entry of the central directory
_ENCRYPTED = 0x1


class Archive:
    """The members of a zip archive by name. Names are looked up without regard to case, and never used as paths."""

    def __init__(self, data: bytes, source: str) -> None:
        from zipfile import ZipFile

        self.source = source
        if data.count(_ENTRY) > MOST_MEMBERS:
            raise ParseError(source, f"is a zip archive of more than {MOST_MEMBERS} members; docqn does not open it")
        try:
            self._zip = ZipFile(BytesIO(data))
        except Exception as error:  # zipfile raises whatever the damage runs into
            raise ParseError(source, "is a damaged or cut-off zip archive; get the file again") from error
        self._members = {_plain(member.filename): member for member in self._zip.infolist()}
        self._inflated = 0

    def __contains__(self, name: str) -> bool:
        return _plain(name) in self._members

    def names(self) -> list[str]:
        """The names of all members, in lower case."""
        return list(self._members)

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        from zipfile import ZIP_DEFLATED, ZIP_STORED

        name = _plain(name)
        member = self._members.get(name)
        if member is None:
            raise ParseError(self.source, f"has no {name} inside")
        if member.flag_bits & _ENCRYPTED:
            raise ParseError(self.source, "is encrypted with a password; save it without one")
        if member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise ParseError(self.source, f"holds {name} in a compression that documents do not use; save it anew")
        size = member.file_size
        self._inflated += size
        if self._inflated > MOST_INFLATED:
            raise ParseError(self.source, f"inflates to more than the {MOST_INFLATED >> 20} MB docqn reads; split it")
        if size > max(ANY_RATIO, MOST_RATIO * member.compress_size):
            raise ParseError(self.source, f"inflates to more than {MOST_RATIO} times its size, like a zip bomb")
        try:
            with self._zip.open(member) as file:
                content = file.read(size + 1)  # never more than claimed, and up to the end, where the checksum is
        except Exception as error:
            raise ParseError(self.source, f"is damaged at {name}; get the file again") from error
        if len(content) != size:
            raise ParseError(self.source, f"is damaged at {name}; get the file again")
        return content


def likelihood_by_member(data: bytes, name: str) -> float:
    """How likely an archive is of the format that has this member: certain if it has it, perhaps if it is damaged."""
    if not data.startswith(b"PK") or name.encode() not in data:
        return 0.0
    try:
        return float(name in Archive(data, ""))
    except ParseError:
        return 0.5


def resolve(base: str, reference: str) -> str:
    """The name, in lower case, of the member that a reference in the member `base` leads to, without its fragment."""
    from urllib.parse import unquote

    path = unquote(reference.partition("#")[0])
    joined = posixpath.normpath(posixpath.join("/", posixpath.dirname(base), path))
    return _plain(joined)


def _plain(name: str) -> str:
    """A member's name as it is looked up and shown, on one line: some writers put a slash first, or backslashes."""
    return collapse(name.replace("\\", "/")).lstrip("/").casefold()
