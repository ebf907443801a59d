"""The package of an EPUB book: its metadata, and which documents it has in which order."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docqn.errors import ParseError
from docqn.parsers.archives import Archive, resolve
from docqn.parsers.xml import tree

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

CONTAINER, ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
DOCUMENT_TYPES = ("application/xhtml+xml", "text/html", "application/xml", "text/xml", "text/x-oeb1-document")
# Fonts may be obscured with these; that protects nothing else.
FONT_METHODS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
LEFT_OUT = ("cover", "toc")  # types of documents


@dataclass
class Package:
    """Members of the archive by what they are for."""

    title: str | None
    language: str
    documents: list[str] = field(default_factory=list)  # in reading order, each once
    navigation: str = ""  # the table of contents of EPUB 3, which may be one of the documents
    ncx: str = ""  # that of EPUB 2
    left_out: set[str] = field(default_factory=set)  # covers and tables of contents for readers


def read_package(archive: Archive) -> Package:
    """The package that the container names."""
    name = _package_name(archive)
    root = tree(archive.read(name), archive.source)
    items = {item.get("id"): item for item in root.iter("item")}
    language = (root.findtext(".//language") or "").strip().partition("-")[0].lower()
    package = Package(" ".join((root.findtext(".//title") or "").split()) or None, language or "en")
    for item in items.values():
        if "nav" in item.get("properties", "").split():
            package.navigation = _member(name, item)
        elif item.get("media-type") == "application/x-dtbncx+xml":
            package.ncx = _member(name, item)
    spine = [items[reference.get("idref")] for reference in root.iter("itemref") if reference.get("idref") in items]
    documents = [_member(name, item) for item in spine if item.get("media-type") in DOCUMENT_TYPES]
    package.documents = list(dict.fromkeys(documents))
    package.left_out = {
        resolve(name, reference.get("href", ""))
        for reference in root.iter("reference")
        if reference.get("type", "").lower() in LEFT_OUT and "#" not in reference.get("href", "")
    }
    _refuse_protection(archive, package)
    return package


def _package_name(archive: Archive) -> str:
    """The package file that the container names, or the only one there is."""
    if CONTAINER in archive:
        for rootfile in tree(archive.read(CONTAINER), archive.source).iter("rootfile"):
            name = unquote(rootfile.get("full-path", ""))
            if name in archive:
                return name
    for name in archive.names():
        if name.endswith(".opf"):
            return name
    raise ParseError(archive.source, "has no package file (.opf) inside, so it is no EPUB book")


def _member(package: str, item: "Element") -> str:
    return resolve(package, item.get("href", ""))


def _refuse_protection(archive: Archive, package: Package) -> None:
    """A book whose documents are encrypted can only be read with the shop's own program."""
    if ENCRYPTION not in archive:
        return
    for entry in tree(archive.read(ENCRYPTION), archive.source).iter("EncryptedData"):
        method, reference = entry.find("EncryptionMethod"), entry.find(".//CipherReference")
        if method is not None and method.get("Algorithm") in FONT_METHODS:
            continue
        if reference is not None and resolve("", reference.get("URI", "")) in package.documents:
            raise ParseError(archive.source, "is protected against copying (DRM), so that docqn cannot read it")
