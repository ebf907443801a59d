"""Bad input on a small scale: a sound document, or an error of one line. `tools.bad_input` measures the large one."""

import pytest

from docqn.errors import ParseError
from docqn.invariants import violations
from docqn.parsers import formats, parse_bytes
from tools.bad_input.files import Scale, bad_files

SCALE = Scale(nestings=400, headings=1000, bytes=2 << 20)


@pytest.mark.parametrize("format", formats())
def test_bad_files_make_a_sound_document_or_an_error_of_one_line(format: str) -> None:
    parsed = []
    for name, make in bad_files(format, SCALE):
        try:
            found = violations(parse_bytes(make(), "bad", format))
            parsed.append(name)
        except ParseError as error:
            found = ["several lines"] if "\n" in str(error) else []
        assert found == [], name
    assert "no headings" in parsed
    assert not {"empty", "random bytes", "encrypted with a password", "a zip bomb", "cut in half"} & set(parsed)
