"""`fivepins serve`: the real process, its doors, what it prints, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import resource
import signal
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from fivepins.desk import demo
from fivepins.desk.addresses import addresses, names
from fivepins.desk.certificate import made
from fivepins.desk.hall import Hall
from fivepins.match import Phase
from fivepins.store import Store
from serving import PATIENCE, PROGRAM, Served, run

Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers on data of their own, or on that of an earlier one; they end with the test."""
    started: list[Served] = []

    def start(*arguments: str, folder: Path | None = None) -> Served:
        served = Served(folder or tmp_path / f"hall{len(started)}", *arguments)
        started.append(served)
        return served

    yield start
    for served in started:
        served.stop()


def refused(*arguments: str | Path) -> str:
    """What a start that fails says; it must say it in words."""
    run = subprocess.run(
        [PROGRAM, "serve", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert run.stdout == ""
    assert "Traceback" not in run.stderr
    assert run.returncode == 1
    return run.stderr


def trusting(served: Served) -> ssl.SSLContext:
    """What a tablet trusts that was told to trust the root of this hall, and nothing else."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(served.folder / "tls" / "root.crt")
    return context


# -- doors -------------------------------------------------------------------------------------------------


def test_it_says_where_it_is_and_answers_there(serve: Serve) -> None:
    served = serve()
    assert b"<html" in served.get()
    assert served.director.startswith(served.url + "/")
    assert served.printed("Data") == [str(served.folder)]
    assert not served.printed("The hall")


def test_without_lan_only_the_loopback_is_served(serve: Serve) -> None:
    port = serve().port
    others = [*map(str, addresses()), "127.0.0.2"]
    for other in others:
        with pytest.raises(OSError, match=r"refused|timed out|[Nn]etwork|assign"):
            socket.create_connection((other, port), timeout=1)


def test_lan_speaks_tls_to_those_who_trust_the_root_under_a_name_that_is_not_localhost(serve: Serve) -> None:
    served = serve("--lan")
    with (
        socket.create_connection((str(addresses()[0]), served.port)) as line,
        trusting(served).wrap_socket(line, server_hostname=names()[-1]) as secure,
    ):
        secure.sendall(f"GET / HTTP/1.1\r\nHost: {names()[-1]}:{served.port}\r\n\r\n".encode())
        assert secure.recv(15) == b"HTTP/1.1 200 OK"
        shown = hashlib.sha256(secure.getpeercert(binary_form=True) or b"").hexdigest().upper()
    assert "".join(served.printed("Certificate")).replace(":", "") == f"SHA-256{shown}"


def test_lan_prints_every_address_and_a_code_for_tablets(serve: Serve) -> None:
    served = serve("--lan")
    hosts = [f"[{one}]" if one.version == 6 else str(one) for one in addresses()]
    assert served.printed("The hall") == [f"https://{host}:{served.port}" for host in [*hosts, names()[-1]]]
    assert served.director.startswith(served.printed("The hall")[0])
    assert "█" in served.said


def test_lan_keeps_a_door_without_tls_for_screens_that_trust_nothing(serve: Serve) -> None:
    served = serve("--lan")
    assert b"<html" in served.get(url=served.printed("Without TLS")[0])


def test_plain_lan_has_no_tls_at_all(serve: Serve) -> None:
    served = serve("--lan", "--plain")
    assert b"<html" in served.get(url=served.printed("The hall")[0])
    assert not served.printed("Certificate")
    assert not (served.folder / "tls").exists()


def test_a_given_certificate_is_shown(serve: Serve, tmp_path: Path) -> None:
    own = made(tmp_path / "own", names=["hall.example"], addresses=addresses(), now=datetime.now(UTC))
    served = serve("--lan", "--tls-cert", str(own.chain), "--tls-key", str(own.key))
    assert "".join(served.printed("Certificate")[1:]) == own.fingerprint
    assert not (served.folder / "tls").exists()


def test_a_second_start_shows_the_same_certificate_on_the_same_port(serve: Serve) -> None:
    served = serve("--lan")
    before = served.printed("Certificate"), served.url
    served.stop()
    served.start()
    assert (served.printed("Certificate"), served.url) == before


# -- the end -----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def few_files(count: int) -> Iterator[None]:
    """For processes started within, a soft limit as small as some systems set it; for this one the most."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))


async def end_with_readers(served: Served, count: int, *signals: signal.Signals) -> int:
    """Open feeds, send the signals, and tell the exit code."""
    secure = trusting(served) if served.url.startswith("https") else None
    feed = served.url.replace("http", "ws", 1) + "/live?hall=1"
    async with contextlib.AsyncExitStack() as lines:
        for _ in range(count // 50):
            opened = (connect(feed, ssl=secure, compression=None, proxy=None) for _ in range(50))
            for line in await asyncio.gather(*opened):
                lines.push_async_callback(line.close)
                await line.recv()
        for number in signals:
            served.signal(number)
            await asyncio.sleep(0.05)
        return await asyncio.to_thread(served.ended)


@pytest.mark.parametrize("arguments", [(), ("--lan",)], ids=["plain", "tls"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_it_with_1000_open_feeds_and_nothing_to_read(
    serve: Serve, number: signal.Signals, arguments: tuple[str, ...]
) -> None:
    with few_files(256):
        served = serve(*arguments)
    assert run(end_with_readers(served, 1000, number)) == 0
    assert served.errors == ""


def test_a_second_ctrl_c_ends_it_as_well(serve: Serve) -> None:
    served = serve()
    assert run(end_with_readers(served, 50, signal.SIGINT, signal.SIGINT)) == 0
    assert served.errors == ""


def test_a_request_head_without_end_is_cut_off(serve: Serve) -> None:
    with socket.create_connection(("127.0.0.1", serve().port)) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        with contextlib.suppress(ConnectionError):  # it closes while we still talk
            for _ in range(10_000):
                line.sendall(b"X-Again: and again\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 400")


# -- what is refused ---------------------------------------------------------------------------------------


def test_a_port_in_use_is_told_with_the_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused("--data", tmp_path, "--port", port)
    assert said.startswith(f"error: port {port} is in use\n  hint: ")


def test_a_data_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused("--data", tmp_path / "file" / "hall")
    assert f"the data folder {tmp_path / 'file' / 'hall'} cannot be written" in said


@pytest.mark.parametrize(
    ("url", "words"),
    [("nonsense", "no such database"), ("sqlite:////nowhere/at/all.db", "unable to open database file")],
)
def test_a_database_that_is_none_is_told(tmp_path: Path, url: str, words: str) -> None:
    assert words in refused("--data", tmp_path, "--port", "0", "--db", url)


def test_a_host_that_is_not_this_machine_is_told(tmp_path: Path) -> None:
    said = refused("--data", tmp_path, "--port", "0", "--host", "198.51.100.7")
    assert "198.51.100.7 is no address of this machine" in said


def test_a_certificate_and_the_key_of_another_are_told(tmp_path: Path) -> None:
    one, other = (
        made(tmp_path / name, names=[], addresses=[], now=datetime.now(UTC)) for name in ("one", "other")
    )
    said = refused("--data", tmp_path, "--lan", "--tls-cert", one.chain, "--tls-key", other.key)
    assert f"{other.key} is not the key of {one.chain}" in said


def test_an_expired_certificate_is_told(tmp_path: Path) -> None:
    old = made(tmp_path / "old", names=[], addresses=[], now=datetime.now(UTC) - timedelta(days=500))
    said = refused("--data", tmp_path, "--lan", "--tls-cert", old.chain, "--tls-key", old.key)
    assert f"{old.chain} is valid from" in said


def test_a_certificate_that_is_not_there_is_told(tmp_path: Path) -> None:
    said = refused("--data", tmp_path, "--lan", "--tls-cert", tmp_path / "no", "--tls-key", tmp_path / "no")
    assert said == f"error: No such file or directory: {tmp_path / 'no'}\n"


@pytest.mark.parametrize(
    "arguments", [("--tls-cert", "x"), ("--plain",), ("--demo", "--db", "sqlite://"), ("--port", "65536")]
)
def test_options_that_do_not_go_together_are_a_wrong_call(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    run = subprocess.run(
        [PROGRAM, "serve", "--data", tmp_path, *arguments],
        capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert run.returncode == 2
    assert not list(tmp_path.iterdir())


# -- the demo ----------------------------------------------------------------------------------------------


def test_the_demo_is_made_anew_at_each_start_and_leaves_the_hall_alone(serve: Serve) -> None:
    served = serve("--demo")
    database = f"sqlite:///{served.folder / 'demo.db'}"
    assert not (served.folder / "hall.db").exists()
    with contextlib.closing(Store.open(database)) as store:
        before = [len(store.lines(match_id)) for match_id in store.matches()]
        seq = before[2]
        store.append("demo3", "lag A", expected_seq=seq, command_id="1", at=datetime.now(UTC))
    served.stop()
    served.start()
    with contextlib.closing(Store.open(database)) as store:
        assert [len(store.lines(match_id)) for match_id in store.matches()] == before


def test_a_demo_that_another_server_has_open_stays_as_it_is(serve: Serve) -> None:
    served = serve("--demo")
    with contextlib.closing(Store.open(f"sqlite:///{served.folder / 'demo.db'}")) as store:
        seq = len(store.lines("demo3"))
        store.append("demo3", "lag A", expected_seq=seq, command_id="1", at=datetime.now(UTC))
        serve("--demo", folder=served.folder)
        assert len(store.lines("demo3")) == seq + 1


def test_a_demo_match_plays_itself_to_its_end(tmp_path: Path) -> None:
    with contextlib.closing(Hall.open(demo.database(tmp_path, datetime.now(UTC)))) as hall:
        run(demo.play(hall, pause=0))
        assert hall.store.state(demo.ITSELF).phase is Phase.OVER


def test_a_demo_match_stops_playing_itself_when_somebody_writes_in_it(tmp_path: Path) -> None:
    async def written_between(hall: Hall) -> tuple[int, int]:
        seq = (await hall.match(demo.ITSELF)).now.seq
        playing = asyncio.create_task(demo.play(hall, pause=0.01))
        await asyncio.sleep(0)  # it has looked where the match stands, and waits
        line = 'note "let me"'
        done = hall.store.append(demo.ITSELF, line, expected_seq=seq, command_id="1", at=datetime.now(UTC))
        await playing
        return done.seq, len(hall.store.lines(demo.ITSELF))

    with contextlib.closing(Hall.open(demo.database(tmp_path, datetime.now(UTC)))) as hall:
        mine, newest = run(written_between(hall))
    assert newest == mine
