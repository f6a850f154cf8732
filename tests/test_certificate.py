"""The certificate of a hall: what it is for, who can read its key, when it is made anew, what is refused."""

from __future__ import annotations

import re
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from fivepins.desk.certificate import LASTS, ROOT_LASTS, Certificate, given, made
from fivepins.errors import FivePinsError

NOW = datetime(2026, 5, 1, 14, 5, tzinfo=UTC)
NAMES = ("box", "box.local")
ADDRESS = ip_address("192.168.1.20")
SIXTH = ip_address("fd00::2")


def of_hall(folder: Path, *, now: datetime = NOW, names: tuple[str, ...] = NAMES) -> Certificate:
    """The certificate of a machine with two names and two addresses."""
    return made(folder, names=names, addresses=(ADDRESS, SIXTH), now=now)


def read(path: Path | None) -> x509.Certificate:
    """A certificate in a file."""
    assert path is not None
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_it_is_for_every_name_and_address_of_the_machine(tmp_path: Path) -> None:
    names = (
        read(of_hall(tmp_path).chain).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    )
    assert names.get_values_for_type(x509.DNSName) == ["localhost", *NAMES]
    loopback = [ip_address("127.0.0.1"), ip_address("::1")]
    assert names.get_values_for_type(x509.IPAddress) == [*loopback, ADDRESS, SIXTH]


def test_it_is_signed_by_a_root_that_a_tablet_takes_for_one(tmp_path: Path) -> None:
    certificate = of_hall(tmp_path)
    root = read(certificate.root)
    read(certificate.chain).verify_directly_issued_by(root)
    assert root.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert not read(certificate.chain).extensions.get_extension_for_class(x509.BasicConstraints).value.ca


def test_the_root_can_sign_for_nobody_but_this_hall(tmp_path: Path) -> None:
    limits = read(of_hall(tmp_path).root).extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    assert limits.value.permitted_subtrees == [x509.DNSName(name) for name in ("local", "localhost", "box")]


def test_it_lasts_less_than_398_days_and_is_valid_for_a_tablet_whose_clock_is_behind(tmp_path: Path) -> None:
    certificate = read(of_hall(tmp_path).chain)
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    assert begins <= NOW - timedelta(hours=12)
    assert timedelta(days=365) < ends - begins < timedelta(days=398)


def test_only_its_owner_can_read_what_lies_in_the_folder(tmp_path: Path) -> None:
    of_hall(tmp_path / "tls")
    assert (tmp_path / "tls").stat().st_mode & 0o777 == 0o700
    files = sorted((tmp_path / "tls").iterdir())
    assert [path.name for path in files] == ["hall.crt", "hall.key", "root.crt", "root.key"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_the_fingerprint_is_what_a_browser_shows(tmp_path: Path) -> None:
    certificate = of_hall(tmp_path)
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", certificate.fingerprint)
    der = ssl.PEM_cert_to_DER_cert(certificate.chain.read_text("ascii"))
    assert x509.load_der_x509_certificate(der) == read(certificate.chain)


def test_a_second_start_shows_the_same_one(tmp_path: Path) -> None:
    assert of_hall(tmp_path) == of_hall(tmp_path, now=NOW + timedelta(days=300))


def test_it_is_renewed_before_it_runs_out_under_the_same_root(tmp_path: Path) -> None:
    first = of_hall(tmp_path)
    root = read(first.root)
    later = NOW + LASTS - timedelta(days=20)
    second = of_hall(tmp_path, now=later)
    assert second.fingerprint != first.fingerprint
    assert read(second.chain).not_valid_after_utc > later + timedelta(days=365)
    assert read(second.root) == root


def test_a_new_address_gets_a_new_one_under_the_same_root(tmp_path: Path) -> None:
    first, root = of_hall(tmp_path).fingerprint, read(of_hall(tmp_path).root)
    moved = made(tmp_path, names=NAMES, addresses=(ip_address("10.0.0.7"),), now=NOW)
    assert moved.fingerprint != first
    assert read(moved.root) == root


def test_an_address_that_is_gone_changes_nothing(tmp_path: Path) -> None:
    assert of_hall(tmp_path) == made(tmp_path, names=NAMES, addresses=(ADDRESS,), now=NOW)


def test_another_machine_name_or_an_old_root_needs_a_new_root(tmp_path: Path) -> None:
    root = read(of_hall(tmp_path).root)
    renamed = read(of_hall(tmp_path, names=("till", "till.local")).root)
    assert renamed != root
    assert read(of_hall(tmp_path, now=NOW + ROOT_LASTS - timedelta(days=100)).root) != renamed


@pytest.mark.parametrize("name", ["hall.crt", "hall.key", "root.crt", "root.key"])
def test_a_damaged_file_is_made_again(tmp_path: Path, name: str) -> None:
    of_hall(tmp_path)
    (tmp_path / name).write_bytes(b"-----BEGIN")
    certificate = of_hall(tmp_path)
    read(certificate.chain).verify_directly_issued_by(read(certificate.root))


def test_a_certificate_of_somebody_else_is_taken_as_it_is(tmp_path: Path) -> None:
    own = of_hall(tmp_path)
    other = given(own.chain, own.key, now=NOW)
    assert (other.fingerprint, other.root) == (own.fingerprint, None)


def test_the_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    one, other = of_hall(tmp_path / "one"), of_hall(tmp_path / "other")
    with pytest.raises(FivePinsError, match=r"hall\.key is not the key of .*hall\.crt"):
        given(one.chain, other.key, now=NOW)


@pytest.mark.parametrize("days", [-2, 400])
def test_a_certificate_out_of_its_time_is_refused(tmp_path: Path, days: int) -> None:
    own = of_hall(tmp_path)
    with pytest.raises(FivePinsError, match="is valid from 2026-04-30 to 2027-06-01"):
        given(own.chain, own.key, now=NOW + timedelta(days=days))


def test_what_is_no_certificate_or_no_key_is_refused(tmp_path: Path) -> None:
    own = of_hall(tmp_path)
    with pytest.raises(FivePinsError, match=r"hall\.key holds no certificate"):
        given(own.key, own.key, now=NOW)
    with pytest.raises(FivePinsError, match=r"hall\.crt holds no key"):
        given(own.chain, own.chain, now=NOW)


def test_a_locked_key_is_refused(tmp_path: Path) -> None:
    own = of_hall(tmp_path)
    key = load_pem_private_key(own.key.read_bytes(), None)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    own.key.write_bytes(locked)
    with pytest.raises(FivePinsError, match="is locked with a password"):
        given(own.chain, own.key, now=NOW)
