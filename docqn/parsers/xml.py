"""XML from anywhere as a stream of events with exact lines: no DTD is loaded, nothing from outside, no entity bombs.

Expat does it rather than lxml, because libxml2 stops at 2,048 levels, miscounts lines and holds a whole tree in memory.
lxml mends what is not well-formed.
"""

import html
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

from docqn.errors import ParseError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_TREE = 16 << 20  # bytes of a part that is read as a tree
MOST_MENDED = 16 << 20  # bytes of a file that is mended
LONGEST_ENTITY = 32  # characters; entities are meant for signs


class Handler(Protocol):
    """What hears the events."""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None: ...

    def end(self, tag: str) -> None: ...

    def text(self, text: str, line: int) -> None: ...


H = TypeVar("H", bound=Handler)


def scan(data: bytes, source: str, make: Callable[[], H], namespaces: Mapping[str, str] | None = None) -> H:
    """A new handler that has heard all of the XML.

    Names come without prefixes; with `namespaces` (from address to a prefix of one's own), with the prefix given there,
    or `?` for other namespaces. XML that is not well-formed is mended, and heard again by another new handler.
    """
    from xml.parsers.expat import ExpatError

    handler = make()
    try:
        _feed(data, source, handler, namespaces)
    except (ExpatError, LookupError, ValueError) as error:  # the latter two for encodings
        handler = make()
        mended = _mended(data, source, str(error))
        try:
            _feed(mended, source, handler, namespaces)
        except ExpatError as still:
            raise ParseError(source, f"is not well-formed XML ({still})") from None
    return handler


def tree(data: bytes, source: str) -> "Element":
    """A small XML file as a tree of names without prefixes."""
    if len(data) > MOST_TREE:
        raise ParseError(source, f"has a part of {len(data) >> 20} MB that describes it, more than docqn reads")
    return scan(data, source, _TreeMaker).root()


class _TreeMaker:
    """Builds a tree from events."""

    def __init__(self) -> None:
        from xml.etree.ElementTree import TreeBuilder

        self._builder = TreeBuilder()

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self._builder.start(tag, attributes)

    def end(self, tag: str) -> None:
        self._builder.end(tag)

    def text(self, text: str, line: int) -> None:
        self._builder.data(text)

    def root(self) -> "Element":
        return self._builder.close()


class _Names(dict[str, str]):
    """From names as expat gives them to those that handlers see; each is worked out once."""

    def __init__(self, namespaces: Mapping[str, str] | None) -> None:
        self._namespaces = namespaces

    def __missing__(self, name: str) -> str:
        if self._namespaces is None:
            self[name] = name.rpartition(":")[2]
        else:
            address, _, local = name.rpartition(" ")
            self[name] = (self._namespaces.get(address, "?") if address else "") + local
        return self[name]


def _feed(data: bytes, source: str, handler: Handler, namespaces: Mapping[str, str] | None) -> None:
    from xml.parsers import expat

    parser = expat.ParserCreate(namespace_separator=None if namespaces is None else " ")
    parser.UseForeignDTD(True)  # so that `&nbsp;` without the DTD that declares it is no error
    parser.specified_attributes = True  # defaults from a DTD could be long, and come with every element
    names = _Names(namespaces)

    def start(name: str, attributes: dict[str, str]) -> None:
        if attributes:
            attributes = {names[key]: value for key, value in attributes.items()}
        handler.start(names[name], attributes, parser.CurrentLineNumber)

    def end(name: str) -> None:
        handler.end(names[name])

    def text(content: str) -> None:
        handler.text(content, parser.CurrentLineNumber)

    def entity(name: str, is_parameter: bool) -> None:
        if not is_parameter:
            text(html.unescape(f"&{name};"))

    def declaration(name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if value is not None and not is_parameter and (len(value) > LONGEST_ENTITY or "&" in value):
            raise ParseError(
                source, f"declares an entity, {name}, that stands for more than a sign; docqn expands none"
            )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.SkippedEntityHandler = entity
    parser.EntityDeclHandler = declaration
    parser.Parse(data, True)


def _mended(data: bytes, source: str, problem: str) -> bytes:
    """Well-formed XML of what can be made out, its lines where they were."""
    from lxml import etree

    if len(data) <= MOST_MENDED:
        # Never huge_tree: without it libxml2 itself refuses entity bombs.
        parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
        try:
            root = etree.fromstring(data, parser)
        except (etree.LxmlError, ValueError, LookupError):
            root = None
        last = parser.error_log.last_error
        cut = last is not None and last.type in (
            etree.ErrorTypes.ERR_RESOURCE_LIMIT,
            etree.ErrorTypes.ERR_INTERNAL_ERROR,
        )
        if root is not None and not cut:
            mended: bytes = b"\n" * (root.sourceline - 1) + etree.tostring(root, encoding="utf-8")
            return mended
    raise ParseError(source, f"is not well-formed XML ({problem})")
