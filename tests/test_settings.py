"""The settings of a hall: what is kept, what is refused, and where the time zone comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fivepins.desk.settings import BEGINNINGS, Settings, machine_zone
from fivepins.errors import FivePinsError
from fivepins.notation import parse_file
from fivepins.rulebook import RULEBOOKS
from fivepins.store import Store

HEAD = "FPN 1\nA: Rossi\nB: Bianchi\nRules: {rules}\nDistance: {distance}\nReferee: Neri\nResult: *\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(f"sqlite:///{tmp_path / 'hall.db'}")
    yield opened
    opened.close()


def test_they_come_back_as_they_were_saved(store: Store) -> None:
    wanted = Settings("Club Ünë", "Europe/Rome", ("T1", "Sala-2"), "it", {"Sets": "5", "Distance": "60"})
    wanted.save(store)
    assert Settings.load(store) == wanted


def test_how_a_match_was_begun_leaves_alone_what_a_director_has_set_elsewhere(store: Store) -> None:
    here = Settings.load(store)
    Settings("Club", "Europe/Rome", ("T1",), "it").save(store)  # by another server
    begun = parse_file(HEAD.format(rules="UMB-1997", distance="50")).records[0]
    here.after(begun).save_last(store)
    found = Settings.load(store)
    assert (found.hall, found.zone, found.last["Distance"]) == ("Club", "Europe/Rome", "50")


@pytest.mark.parametrize("rules", RULEBOOKS)
@pytest.mark.parametrize(("distance", "kept"), [("60", "60"), ("80/70", "80")])
def test_the_next_match_begins_as_the_last_one_and_with_nobodys_name(
    rules: str, distance: str, kept: str
) -> None:
    last = Settings().after(parse_file(HEAD.format(rules=rules, distance=distance)).records[0]).last
    assert last == {"Sets": "", "Clock": "", "Rules": rules, "Distance": kept}
    assert not {"A", "B", "Referee", "Event"} & BEGINNINGS.keys()


def test_a_beginning_that_is_none_any_more_is_forgotten(store: Store) -> None:
    store.set_setting("last match", '{"Rules": "CLUB-1950", "Sets": "5"}')
    assert Settings.load(store).last == {"Sets": "5"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"hall": " "},
        {"hall": "x" * 81},
        {"hall": "Club\r\nSet-Cookie: a=b"},
        {"zone": "Europe/Nowhere"},
        {"zone": "../../etc/passwd"},
        {"language": "tlh"},
        {"tables": ()},
        {"tables": ("T1", "T1")},
        {"tables": ("T 1",)},
        {"last": {"Distance": "0"}},
        {"last": {"Distance": "١٠"}},
        {"last": {"A": "Rossi"}},
    ],
)
def test_what_is_no_good_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(FivePinsError):
        replace(Settings(), **wrong)  # type: ignore[arg-type]


# -- the zone ------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["Europe/Rome", ":America/Argentina/Buenos_Aires"])
def test_a_new_hall_is_where_its_machine_is(said: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", said)
    assert Settings.load(store).zone == machine_zone() == said.lstrip(":")


@pytest.mark.parametrize("said", ["", "CET-1CEST,M3.5.0,M10.5.0/3", "/etc/passwd"])
def test_what_is_no_name_of_a_zone_is_passed_over(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    otherwise = machine_zone()
    monkeypatch.setenv("TZ", said)
    assert machine_zone() == otherwise


def test_the_zone_of_a_machine_that_was_told_none_has_the_name_that_people_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "Etc/UTC")
    assert machine_zone() == "UTC"


def test_what_a_director_has_set_stays_wherever_the_server_moves(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace(Settings(), zone="Europe/Rome").save(store)
    monkeypatch.setenv("TZ", "America/Lima")
    assert Settings.load(store).zone == "Europe/Rome"
