"""The repository as a whole: what lies in it, what its documents say, and that they are true."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

import fivepins

ROOT = Path(__file__).parent.parent
MADE = {
    ".git", ".venv", ".tools", "__pycache__", "dist", "build", "htmlcov", ".hypothesis",
    ".mypy_cache", ".pytest_cache", ".ruff_cache", ".pooltool", "node_modules",
}  # fmt: skip
"""Folders that are made, not written."""

LOCKS = ("uv.lock", "package-lock.json")

DEPENDENCIES = ROOT / "docs" / "decisions" / "005-dependencies.md"


def texts(suffix: str = "") -> Iterator[Path]:
    """Every text file somebody wrote, but the lock files."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - MADE)
        for path in (Path(folder, name) for name in sorted(names) if name.endswith(suffix)):
            if path.name not in LOCKS and b"\0" not in path.read_bytes():
                yield path


def label(path: Path) -> str:
    """The path as people write it."""
    return str(path.relative_to(ROOT))


DOCUMENTS = list(texts(".md"))


def test_every_document_and_decision_is_on_the_list() -> None:
    listed = set(re.findall(r"\]\(([^)]+)\)", (ROOT / "docs" / "README.md").read_text("utf-8")))
    pages = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").glob("**/*.md")}
    assert {page for page in pages if not page.startswith("rules/")} - listed == {"README.md"}


def fenced(document: Path, language: str) -> str:
    """The blocks of one language, every other line left empty, so that the numbers of lines stay."""
    inside = False
    lines = []
    for line in document.read_text("utf-8").splitlines():
        fence = line.startswith("```")
        inside = (
            line.removeprefix("```").split() == [language] if fence and not inside else inside and not fence
        )
        lines.append(line if inside and not fence else "")
    return "\n".join(lines) + "\n"


def prose(document: Path) -> str:
    """The text without its blocks of code."""
    return re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def declared() -> set[str]:
    """Every package that pyproject.toml asks for."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = settings["project"]
    groups = [
        settings["build-system"]["requires"],
        project["dependencies"],
        *project.get("optional-dependencies", {}).values(),
        *settings["dependency-groups"].values(),
    ]
    wanted = [line for group in groups for line in group if isinstance(line, str)]
    return {re.split(r"[^\w.-]", line)[0].lower().replace("_", "-") for line in wanted} - {"fivepins"}


def test_no_file_names_a_folder_of_one_machine() -> None:
    pattern = re.compile(r"/(?:work|farm|root|Users)/")
    assert not [label(path) for path in texts() if pattern.search(path.read_text("utf-8"))]


def test_only_the_lock_files_name_a_package_registry() -> None:
    locks = "".join((ROOT / name).read_text("utf-8") for name in LOCKS)
    hosts = set(re.findall(r"https?://([^/\"]+)", locks))
    assert hosts
    pattern = re.compile("|".join(map(re.escape, sorted(hosts))))
    assert not [label(path) for path in texts() if pattern.search(path.read_text("utf-8"))]


def test_every_dependency_has_its_reason() -> None:
    listed = set(re.findall(r"^\| `([\w.-]+)` \|", DEPENDENCIES.read_text("utf-8"), flags=re.MULTILINE))
    assert listed == declared(), f"a line each in {label(DEPENDENCIES)}, and no other"


def test_the_changelog_is_about_this_version() -> None:
    versions = re.findall(
        r"^## \[?(\d[\w.]*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE
    )
    assert versions[0] == fivepins.__version__


@pytest.mark.parametrize("path", [path for path in texts(".py") if "src" in path.parts], ids=label)
def test_a_file_is_split_by_noun_before_it_grows_past_700_lines(path: Path) -> None:
    one_piece = label(path) == "src/fivepins/physics/kernel.py"  # numba's cache sees no edits in other files
    assert one_piece or len(path.read_text("utf-8").splitlines()) <= 700


def test_what_ci_runs_is_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = script.read_text("utf-8").splitlines()
    assert "set -euo pipefail" in lines
    assert any(line.startswith("make test") for line in lines)


def test_the_scripts_are_shell_that_every_system_has() -> None:
    for script in (ROOT / "scripts").iterdir():
        assert script.read_text("utf-8").startswith("#!/bin/sh\n"), label(script)
        assert os.access(script, os.X_OK), label(script)
        subprocess.run(["sh", "-n", str(script)], check=True)


@pytest.mark.parametrize("document", DOCUMENTS, ids=label)
def test_every_link_to_a_file_leads_somewhere(document: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(document))
    files = [unquote(target.partition("#")[0]) for target in targets if not re.match(r"\w+:|#", target)]
    assert not [name for name in files if not (document.parent / name).exists()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=label)
def test_the_python_of_a_document_runs(document: Path) -> None:
    code = fenced(document, "python")
    test = doctest.DocTestParser().get_doctest(code, {}, label(document), str(document), 0)
    told: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert not told, "".join(told)


def sessions(document: Path) -> Iterator[tuple[str, str]]:
    """The commands of a document's console blocks that begin with `$ fivepins`, and what they print."""
    for block in re.split(r"^(?=\$ )", fenced(document, "console"), flags=re.MULTILINE):
        command, _, output = block.strip().partition("\n")
        if command.startswith("$ fivepins"):
            yield command.removeprefix("$ "), output.strip()


@pytest.mark.parametrize("document", DOCUMENTS, ids=label)
def test_the_console_of_a_document_shows_what_is_printed(document: Path) -> None:
    settings = {"PATH": os.defpath, "NO_COLOR": "1", "COLUMNS": "100", "LANG": "C.UTF-8", "PYTHONUTF8": "1"}
    for command, output in sessions(document):
        program, *words = shlex.split(command)
        run = subprocess.run(
            [Path(sys.executable).with_name(program), *words],
            cwd=ROOT, env=settings, capture_output=True, text=True, check=False,
        )  # fmt: skip
        told = [line.rstrip() for line in (run.stdout + run.stderr).strip().splitlines()]
        assert told == output.splitlines(), command
