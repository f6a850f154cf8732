"""The layer table: who may import whom. `docs/architecture.md` tells why."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "fivepins"

LAYERS = (
    ("message errors table language",),
    ("stroke rulebook codes",),
    (
        "rules placing",
        "equipment",
        "physics.model physics.kernel physics.trace physics.simulate physics.batch physics.__init__",
    ),
    ("events lag sets match referee",),
    ("tokens scan lines notation stats sheet export", "perft", "drawing", "tournament", "player"),
    ("store", "paper"),
    ("desk",),
    ("cli __main__",),
)
"""From the ground up. A line of words is a group, in order: a module may import from every smaller layer,
and in its own layer from what stands before it in its own group. A package named as a whole takes all its
files in, and they may import each other; name its files, as with physics, to put them in order."""

FREE = ("testing", "__init__")
"""May import everything; of these, nothing is imported but `testing`, by `__init__`."""

LIBRARIES = (
    "physics", "referee", "drawing", "player", "store", "paper", "desk", "cli", "__main__", "testing",
)  # fmt: skip
"""What may import more than the standard library. The core is none of them."""

PLACES = {
    name: (layer, group, place)
    for layer, groups in enumerate(LAYERS)
    for group, names in enumerate(groups)
    for place, name in enumerate(names.split())
}


def module_name(path: Path) -> str:
    """The name inside the package: `rules`, `physics.kernel`, `physics.__init__`."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


MODULES = sorted(module_name(path) for path in SOURCE.rglob("*.py"))


def entry(module: str) -> str | None:
    """The entry of the table a module falls under: its own, or that of a package named as a whole."""
    parts = module.split(".")
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((name for name in names if name in PLACES or name in FREE), None)


def allowed(module: str, imported: str) -> bool:
    """Whether the table lets one module import the other."""
    mine, other = entry(module), entry(imported)
    if mine in FREE:
        return other != "__init__"
    if mine is None or other is None or other in FREE:
        return False
    here, there = PLACES[mine], PLACES[other]
    return there[0] < here[0] or mine == other or (there[:2] == here[:2] and there[2] < here[2])


def resolve(name: str) -> str:
    """`fivepins.rules` → `rules`; a package stands for its `__init__`."""
    inner = name.removeprefix("fivepins").lstrip(".")
    return f"{inner}.__init__".lstrip(".") if (SOURCE / inner.replace(".", "/")).is_dir() else inner


def imports(module: str) -> Iterator[tuple[int, str]]:
    """Line and full name of every import of a module, wherever in it the import stands."""
    package = ["fivepins", *module.split(".")[:-1]]
    for node in ast.walk(ast.parse((SOURCE / f"{module.replace('.', '/')}.py").read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            for alias in node.names:
                if (base, alias.name) == ("fivepins", "__version__"):
                    continue  # whoever imports a part has the root already, and this is all of it
                inner = resolve(f"{base}.{alias.name}")
                yield node.lineno, f"{base}.{alias.name}" if inner in MODULES else base


@pytest.mark.parametrize("module", MODULES)
def test_the_module_imports_only_from_below(module: str) -> None:
    assert entry(module) is not None, (
        f"{module} has no place: add it to LAYERS in tests/test_layers.py and to docs/architecture.md"
    )
    wrong = [
        f"src/fivepins/{module.replace('.', '/')}.py:{line}  {module} imports {name}, which is not below it"
        for line, name in imports(module)
        if name.partition(".")[0] == "fivepins" and not allowed(module, resolve(name))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("module", [module for module in MODULES if module.split(".")[0] not in LIBRARIES])
def test_the_core_imports_nothing_but_the_standard_library(module: str) -> None:
    known = {"fivepins", *sys.stdlib_module_names}
    assert not [name for _, name in imports(module) if name.partition(".")[0] not in known]


def test_importing_the_package_loads_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import fivepins; "
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)"
    )
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["fivepins"]


@pytest.mark.parametrize(
    ("module", "imported", "verdict"),
    [
        ("rules", "stroke", True),
        ("table", "errors", True),
        ("errors", "table", False),  # the order of a group
        ("rules", "physics.kernel", False),  # the rules know no simulator
        ("physics.kernel", "rules", False),  # and the simulator knows no rules
        ("physics.trace", "physics.kernel", True),
        ("physics.kernel", "physics.trace", False),
        ("stroke", "match", False),
        ("cli.score", "cli.app", True),  # a package named as a whole
        ("cli.score", "notation", True),
        ("notation", "cli.score", False),
        ("match", "testing", False),
        ("match", "__init__", False),
        ("__init__", "cli.app", True),
    ],
)
def test_the_table_itself(module: str, imported: str, verdict: bool) -> None:
    assert allowed(module, imported) is verdict
