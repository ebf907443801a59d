"""Fuzz the Word parser."""

from random import Random

from docqn.parsers.docx import likelihood, parse
from fuzz import fuzz
from fuzz.archives import mutated_archive, packed

TAGS = """body br del fldSimple hyperlink ins moveFrom p pPr r rPr sdt sdtContent t tab tbl tc tcPr tr trPr
txbxContent""".split()
WORDS = [
    *(f"<w:{tag}>".encode() for tag in TAGS),
    *(f"</w:{tag}>".encode() for tag in TAGS),
    *(f'<w:fldChar w:fldCharType="{kind}"/>'.encode() for kind in ("begin", "separate", "end")),
    b'<w:pStyle w:val="Heading1"/>', b'<w:pStyle w:val="s1"/>', b'<w:outlineLvl w:val="3"/>', b"<w:b/>", b"<w:vanish/>",
    b'<w:vMerge w:val="restart"/>', b"<w:vMerge/>", b'<w:gridSpan w:val="99999"/>', b"<w:tblHeader/>", b"<w:del/>",
    b"<w:lastRenderedPageBreak/>", b'<w:br w:type="page"/>', b'<w:sym w:font="Symbol" w:char="F061"/>', b"<mc:Choice>",
    b"<w:instrText>TOC</w:instrText>", b'<w:basedOn w:val="s1"/>', b"&x;", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"\xff",
]  # fmt: skip
SPACES = (
    b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    b'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
BODY = b"""<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>Tea</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="s1"/></w:pPr><w:r><w:t>One</w:t></w:r></w:p>
<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">Some </w:t>
<w:lastRenderedPageBreak/><w:t>text. More.</w:t></w:r>
<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>
<w:r><w:fldChar w:fldCharType="separate"/><w:t>seen</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>
<w:tbl><w:tblPr><w:tblLook w:val="04A0"/></w:tblPr>
<w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:p><w:r><w:t>A</w:t></w:r></w:p></w:tc>
<w:tc><w:p><w:r><w:t>B</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc>
<w:tc><w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice>
</mc:AlternateContent></w:r></w:p></w:tc></w:tr></w:tbl>
<w:sdt><w:sdtPr/><w:sdtContent><w:p><w:del><w:r><w:delText>x</w:delText></w:r></w:del>
<w:r><w:br w:type="page"/><w:t>End.</w:t></w:r></w:p></w:sdtContent></w:sdt>"""
STYLES = b"""<w:style w:type="paragraph" w:styleId="s1"><w:name w:val="heading 1"/><w:basedOn w:val="s2"/></w:style>
<w:style w:type="paragraph" w:styleId="s2"><w:rPr><w:b/><w:sz w:val="30"/></w:rPr></w:style>"""
RELATION = b"<Relationships><Relationship Type='%sofficeDocument' Target='word/document.xml'/></Relationships>"
OFFICE = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
SEED = packed(
    {
        "_rels/.rels": RELATION % OFFICE,
        "word/document.xml": b"<w:document " + SPACES + b"><w:body>" + BODY + b"</w:body></w:document>",
        "word/styles.xml": b"<w:styles " + SPACES + b">" + STYLES + b"</w:styles>",
    }
)


def mutate(data: bytes, random: Random) -> bytes:
    """A mutation; what it is likely to be is asked in passing, since that must never fail."""
    data = mutated_archive(data, random, WORDS)
    likelihood(data)
    return data


if __name__ == "__main__":
    fuzz(parse, [SEED], mutate)
