"""The layers of docs/architecture.md: no module imports one above it, and torch stays with training."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import resolve_name
from pathlib import Path

import pytest

import docqn

PACKAGE = Path(docqn.__file__).parent
# A room is a module or package right under docqn; `__init__` are the public names, which come from everywhere.
LAYERS = (  # bottom to top
    set(
        "document tree invariants build outline export text files arrays onnx_graph onnx_layers plugins errors".split()
    ),
    {"parsers"},
    {"corpora"},
    {"environment", "readers", "network"},
    {"policies"},
    {"evaluation", "learning"},
    {"serving", "cli", "__main__", "__init__"},
)
TRAINING = ("docqn.learning", "docqn.network")  # modules, and packages with all in them, that may import torch


@dataclass(frozen=True)
class Module:
    """A source file and the dotted name that it is imported by."""

    name: str
    path: Path

    def imports(self) -> Iterator[tuple[int, str]]:
        """Line and dotted name of everything imported, wherever in the file; `from a import b` is `a.b`."""
        package = self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]
        for node in ast.walk(ast.parse(self.path.read_bytes())):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                origin = resolve_name("." * node.level + (node.module or ""), package)
                yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def modules(package: Path) -> list[Module]:
    """Every module of a package, the package itself included."""
    found = []
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        found.append(Module(".".join(parts).removesuffix(".__init__"), path))
    return found


def room_of(name: str, package: str, rooms: set[str]) -> str | None:
    """The room that a dotted name belongs to; None outside the package and for `__version__`."""
    top, _, rest = name.partition(".")
    first = rest.partition(".")[0]
    if top != package or first == "__version__":
        return None
    return first if first in rooms else "__init__"


def violations(package: Path) -> list[str]:
    """One line for each import that goes up, and for each room without a layer."""
    level = {room: i for i, layer in enumerate(LAYERS) for room in layer}
    rooms = {path.stem for path in package.iterdir() if path.suffix == ".py" or any(path.rglob("*.py"))}
    if unknown := rooms - level.keys():
        names = ", ".join(sorted(unknown))
        return [f"{package.name}: no layer for {names}; add it to LAYERS in {__name__} and to docs/architecture.md"]
    lines = []
    for module in modules(package):
        own = room_of(module.name, package.name, rooms) or ""
        for line, name in module.imports():
            target = room_of(name, package.name, rooms)
            if target is not None and level[target] > level[own]:
                where = f"{module.path.relative_to(package.parent)}:{line}"
                lines.append(f"{where}: {own} imports {name}, which is in a layer above it")
    return lines


def test_no_module_imports_one_above_it() -> None:
    assert violations(PACKAGE) == []


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A package with a module in the lowest, a middle and the highest layer."""
    files = {"__init__": "__version__ = '1'", "document": "", "errors": "", "parsers/__init__": "", "cli": ""}
    for name, source in files.items():
        path = tmp_path / "house" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    return tmp_path / "house"


@pytest.mark.parametrize(
    "upward",
    [
        "import house.cli",
        "import os, house.cli as commands",
        "from house import cli",
        "from house import document, cli",
        "from house.cli import main",
        "from .. import cli",
        "from ..cli import main",
        "from house import parse",
        "import house",
        "from house import *",
        "def f():\n    from house.cli import main",
        "if TYPE_CHECKING:\n    from house.cli import Main",
    ],
)
def test_an_upward_import_is_noticed(house: Path, upward: str) -> None:
    (house / "parsers" / "html.py").write_text(upward)
    (found,) = violations(house)
    assert found.startswith("house/parsers/html.py:")
    assert "parsers imports house" in found


@pytest.mark.parametrize(
    "allowed",
    [
        "from house.document import Document",
        "from ..errors import ParseError",
        "from . import markdown",
        "from house import __version__",
        "import house_of_cards",
        "'import house.cli'",
    ],
)
def test_other_imports_pass(house: Path, allowed: str) -> None:
    (house / "parsers" / "html.py").write_text(allowed)
    assert violations(house) == []


@pytest.mark.parametrize("path", ["attic.py", "attic/__init__.py"])
def test_a_room_without_a_layer_is_noticed(house: Path, path: str) -> None:
    (house / path).parent.mkdir(exist_ok=True)
    (house / path).write_text("")
    (found,) = violations(house)
    assert "no layer for attic" in found


def trains(name: str) -> bool:
    """Whether a dotted name is one of TRAINING or inside one."""
    return any(f"{name}.".startswith(f"{training}.") for training in TRAINING)


def test_only_training_imports_torch() -> None:
    users = {m.name for m in modules(PACKAGE) for _, name in m.imports() if f"{name}.".startswith("torch.")}
    assert {user for user in users if not trains(user)} == set()


def newly_imported(*names: str) -> set[str]:
    """The top-level modules that a fresh interpreter loads with these."""
    script = (
        "import importlib, sys; before = set(sys.modules); [importlib.import_module(name) for name in sys.argv[1:]];"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    done = subprocess.run([sys.executable, "-c", script, *names], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_inference_loads_no_torch() -> None:
    names = [module.name for module in modules(PACKAGE) if not trains(module.name)]
    assert "torch" not in newly_imported(*names)


def test_importing_the_package_loads_the_standard_library_at_most() -> None:
    assert newly_imported("docqn") - sys.stdlib_module_names == {"docqn"}
