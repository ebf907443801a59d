"""Parts by name."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docqn import plugins
from docqn.errors import DocqnError


@pytest.fixture
def fruits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package of parts that define `taste`, with one module that does not, and one of a third party beside it."""
    files = {
        "fruits/__init__.py": "",
        "fruits/apple.py": "def taste(strength): return f'sweet {strength}'",
        "fruits/blood_orange.py": "def taste(strength): return f'sour {strength}'",
        "fruits/knife.py": "edge = 'sharp'",
        "abroad.py": "class Durian:\n    def taste(strength): return f'odd {strength}'\nclass Stone: ...\nPip = 3\n"
        "class Fig:\n    def __init__(self, of='nothing'): self.of = of",
    }
    for name, source in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    plugins.names.cache_clear()
    yield "fruits"
    for name in [name for name in sys.modules if name.partition(".")[0] in ("fruits", "abroad")]:
        del sys.modules[name]
    plugins.names.cache_clear()


def test_names_are_those_of_modules_that_define_it(fruits: str) -> None:
    assert plugins.names(fruits, "taste") == ("apple", "blood-orange")


def test_a_file_in_the_folder_where_one_works_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fruits: str
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "homegrown.py").write_text("class Plum:\n    taste = 'ripe'\n")
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    monkeypatch.chdir(tmp_path / "here")
    assert plugins.find(fruits, "homegrown:Plum", "taste").taste == "ripe"
    del sys.modules["homegrown"]


def test_a_part_is_found_by_its_name(fruits: str) -> None:
    assert plugins.find(fruits, "apple", "taste") is importlib.import_module("fruits.apple")
    assert plugins.find(fruits, "blood-orange", "taste") is importlib.import_module("fruits.blood_orange")
    assert plugins.find(fruits, "abroad:Durian", "taste") is importlib.import_module("abroad").Durian


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pear", "'pear' is not among the fruits; choose apple, blood-orange, or name your own as package.module:Name"),
        ("knife", "'knife' is not among the fruits"),
        ("blood_orange", "'blood_orange' is not among the fruits"),
        ("", "'' is not among the fruits"),
        ("abroad:", "'abroad:' is not among the fruits"),
        ("abroad:Mango", "'abroad:Mango' cannot be imported: module 'abroad' has no attribute 'Mango'"),
        ("nowhere:Mango", "'nowhere:Mango' cannot be imported: No module named 'nowhere'"),
        (":Mango", "':Mango' cannot be imported"),
        (".abroad:Mango", "'.abroad:Mango' cannot be imported"),
        ("abroad:Stone", "'abroad:Stone' does not define 'taste'"),
    ],
)
def test_another_name_is_an_error(fruits: str, name: str, message: str) -> None:
    with pytest.raises(DocqnError) as caught:
        plugins.find(fruits, name, "taste")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_part_is_made_with_what_follows_its_name(fruits: str) -> None:
    assert plugins.make(fruits, "apple", "taste") == "sweet "
    assert plugins.make(fruits, "apple:very:much", "taste") == "sweet very:much"
    assert plugins.make(fruits, "abroad:Durian", "taste") == "odd "
    assert plugins.make(fruits, "abroad:Durian:a:bit", "taste") == "odd a:bit"


def test_a_third_partys_part_may_be_the_factory_itself(fruits: str) -> None:
    assert plugins.make(fruits, "abroad:Fig", "taste").of == "nothing"
    assert plugins.make(fruits, "abroad:Fig:a:tree", "taste").of == "a:tree"


def test_what_is_made_has_what_it_needs(fruits: str) -> None:
    assert plugins.make(fruits, "abroad:Fig", "taste", ("of",)).of == "nothing"
    with pytest.raises(DocqnError, match="'abroad:Fig' makes no taste: it has no 'stone'"):
        plugins.make(fruits, "abroad:Fig", "taste", ("of", "stone"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pear", "'pear' is not among the fruits"),
        ("pear:", "'pear' is not among the fruits"),
        ("pear:ripe", "'pear:ripe' cannot be imported"),
        ("abroad:Pip", "'abroad:Pip' does not define 'taste'"),
    ],
)
def test_what_cannot_be_made_is_an_error(fruits: str, name: str, message: str) -> None:
    with pytest.raises(DocqnError) as caught:
        plugins.make(fruits, name, "taste")
    assert str(caught.value).startswith(message)
