"""The certificate a hall is served under: made here, or given and checked.

What is made is a pair: a root that a tablet is told to trust once, and a certificate signed by it, which
can be renewed without anybody noticing. `docs/decisions/033-serve.md` tells why.
"""

from __future__ import annotations

import contextlib
import os
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from fivepins.desk.addresses import Address
from fivepins.errors import FivePinsError

LASTS: Final = timedelta(days=397)
"""How long a certificate is valid: browsers refuse some that last longer than 398 days."""
RENEWED: Final = timedelta(days=30)
"""With less than this left a start makes a new one: longer than any server runs."""
ROOT_LASTS: Final = timedelta(days=3650)
_SKEW = timedelta(days=1)  # the clock of a tablet may be behind

Host = x509.DNSName | x509.IPAddress

_LOOPBACK = (ip_address("127.0.0.1"), ip_address("::1"))


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a server shows of itself: the files to serve under, and the fingerprint a browser shows.

    `root` is the file a tablet is told to trust, where the certificate was made here.
    """

    chain: Path
    key: Path
    fingerprint: str
    root: Path | None = None


def fingerprint(certificate: x509.Certificate) -> str:
    """The SHA-256 fingerprint as browsers write it: pairs of hexadecimal digits."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def root_file(folder: Path) -> Path:
    """Where the root of the certificates that are made in a folder lies."""
    return folder / "root.crt"


def made(folder: Path, *, names: Iterable[str], addresses: Iterable[Address], now: datetime) -> Certificate:
    """The certificate for these names and addresses, made or renewed in the folder where it has to be.

    Raises `OSError` where the folder cannot be written.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    hosts: list[Host] = [
        *map(x509.DNSName, ("localhost", *names)),
        *map(x509.IPAddress, (*_LOOPBACK, *addresses)),
    ]
    root = _Pair.read(root_file(folder), folder / "root.key")
    if root is None or not root.lasts(now + LASTS) or not _vouches(root, hosts):
        root = _new_root(hosts, now)
        root.write(root_file(folder), folder / "root.key")
    chain, key = folder / "hall.crt", folder / "hall.key"
    leaf = _Pair.read(chain, key)
    if leaf is None or not leaf.lasts(now + RENEWED) or not _serves(leaf, hosts, root):
        leaf = _new_leaf(hosts, root, now)
        leaf.write(chain, key)
    return Certificate(chain, key, fingerprint(leaf.certificate), root_file(folder))


def given(chain: Path, key: Path, *, now: datetime) -> Certificate:
    """A certificate that somebody else made; raises `FivePinsError` where it cannot be served under.

    `chain` may hold more than the certificate; it comes first.
    """
    try:
        certificate = x509.load_pem_x509_certificates(chain.read_bytes())[0]
    except ValueError:
        raise FivePinsError(
            f"{chain} holds no certificate", hint="it must be PEM: BEGIN CERTIFICATE"
        ) from None
    try:
        private = serialization.load_pem_private_key(key.read_bytes(), None)
    except TypeError:
        raise FivePinsError(f"{key} is locked with a password", hint="write it without one") from None
    except ValueError:
        raise FivePinsError(f"{key} holds no key", hint="it must be PEM: BEGIN PRIVATE KEY") from None
    if private.public_key() != certificate.public_key():
        raise FivePinsError(f"{key} is not the key of {chain}", hint="are they from the same order?")
    begins, ends = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if not begins <= now < ends:
        raise FivePinsError(
            f"{chain} is valid from {begins:%Y-%m-%d} to {ends:%Y-%m-%d}", hint="is the clock right? renew it"
        )
    return Certificate(chain, key, fingerprint(certificate))


def context(certificate: Certificate) -> ssl.SSLContext:
    """What a server speaks TLS with, 1.2 or newer."""
    speaks = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    speaks.minimum_version = ssl.TLSVersion.TLSv1_2
    speaks.load_cert_chain(certificate.chain, certificate.key)
    return speaks


class _Pair(NamedTuple):
    """A certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @classmethod
    def read(cls, chain: Path, key: Path) -> _Pair | None:
        """The pair in two files; None where there is none, or one that was torn or mixed up."""
        with contextlib.suppress(FileNotFoundError, ValueError, TypeError):
            certificate = x509.load_pem_x509_certificate(chain.read_bytes())
            private = serialization.load_pem_private_key(key.read_bytes(), None)
            if isinstance(private, ec.EllipticCurvePrivateKey):
                return cls(certificate, private) if certificate.public_key() == private.public_key() else None
        return None

    def write(self, chain: Path, key: Path) -> None:
        """Write two files that only their owner can read."""
        form, lock = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        _write(key, self.key.private_bytes(serialization.Encoding.PEM, form, lock))
        _write(chain, self.certificate.public_bytes(serialization.Encoding.PEM))

    def lasts(self, until: datetime) -> bool:
        """Whether it is valid that long."""
        return until <= self.certificate.not_valid_after_utc


def _write(path: Path, content: bytes) -> None:
    """A file for its owner alone, whole or as it was before."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    fresh.replace(path)


def _may_sign(hosts: list[Host]) -> list[x509.DNSName]:
    """The names a root may sign for: those of this machine, and those that no name server knows.

    So whoever gets hold of its key can be no shop and no bank for the tablets that trust it. Addresses
    are left free: they change with the hall, and nobody's bank is found by its address.
    """
    names = [host for host in hosts if isinstance(host, x509.DNSName) and not host.value.endswith(".local")]
    return [x509.DNSName("local"), *names]


def _vouches(root: _Pair, hosts: list[Host]) -> bool:
    """Whether a root may sign for every host."""
    limits = root.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
    return set(_may_sign(hosts)) <= set(limits.permitted_subtrees or ())


def _serves(leaf: _Pair, hosts: list[Host], root: _Pair) -> bool:
    """Whether a certificate is signed by the root and is for every host."""
    try:
        leaf.certificate.verify_directly_issued_by(root.certificate)
    except (ValueError, TypeError, InvalidSignature):
        return False
    held = leaf.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(hosts) <= set(held)


def _new_root(hosts: list[Host], now: datetime) -> _Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name(f"fivepins hall {_may_sign(hosts)[-1].value}")
    certificate = (
        _begun(name, key, now, ROOT_LASTS)
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(_may_sign(hosts), None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return _Pair(certificate, key)


def _new_leaf(hosts: list[Host], root: _Pair, now: datetime) -> _Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(root.key.public_key())
    certificate = (
        _begun(_name(_may_sign(hosts)[-1].value), key, now, LASTS)
        .issuer_name(root.certificate.subject)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(issuer, critical=False)
        .sign(root.key, hashes.SHA256())
    )
    return _Pair(certificate, key)


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common[:64])])


def _begun(
    name: x509.Name, key: ec.EllipticCurvePrivateKey, now: datetime, lasts: timedelta
) -> x509.CertificateBuilder:
    """What a root and a leaf have in common."""
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now - _SKEW + lasts)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
