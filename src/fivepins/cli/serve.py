"""`fivepins serve`: the match desk, its displays and its pages, for one hall."""

from __future__ import annotations

import io
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fivepins.desk.serve import Open


def serve_command(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="DIR", help="Where matches and settings lie; the user's data folder by default."
        ),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="Serve this address alone; the loopback by default.")
    ] = "",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")
    ] = 8421,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan",
            help="Serve the hall's network: with TLS on the port, and on the next one without it, "
            "for screens that trust no certificate of ours.",
        ),
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="With --lan: no TLS at all. Tablets may fall asleep then, and others can read along.",
        ),
    ] = False,
    db: Annotated[
        str,
        typer.Option(
            "--db", metavar="URL", help="The database; a SQLite file in the data folder by default."
        ),
    ] = "",
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", metavar="FILE", help="Serve under this certificate, PEM.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option("--tls-key", metavar="FILE", help="The key of the certificate, PEM.")
    ] = None,
    backup: Annotated[
        Path | None,
        typer.Option(
            "--backup", metavar="DIR", help="Where copies go, such as a stick; DATA/backups by default."
        ),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve a demo hall with matches, made anew at each start.")
    ] = False,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the director's page.")] = False,
) -> None:
    """Serve a hall: the referee's desk, the displays, the overlay. Ctrl-C ends it."""
    if (tls_cert is None) != (tls_key is None):
        raise typer.BadParameter("--tls-cert and --tls-key belong together")
    if plain and (tls_cert or not lan):
        raise typer.BadParameter("--plain goes with --lan, and without a certificate")
    if demo and db:
        raise typer.BadParameter("--demo has a database of its own")
    from fivepins.desk.serve import Service, data_folder, serve  # noqa: PLC0415 - no other command waits for it

    service = Service(
        folder=data or data_folder(),
        db=db,
        host=host,
        port=port,
        lan=lan,
        plain=plain,
        tls=(tls_cert, tls_key) if tls_cert and tls_key else None,
        demo=demo,
        backup=backup,
    )

    def ready(found: Open) -> None:
        _tell(found)
        if open_browser:  # in a thread: a browser in the terminal comes back when it is closed
            threading.Thread(target=webbrowser.open, args=(found.director,), daemon=True).start()

    serve(service, ready)


def _tell(found: Open) -> None:
    """Print where everything is."""
    rows = [("This machine", (found.here,)), ("The hall", found.hall), ("Without TLS", found.plain)]
    rows += [("Director", (found.director,))]
    if found.certificate:
        rows += [("Certificate", ("SHA-256", *_halves(found.certificate.fingerprint)))]
        if found.certificate.root:
            rows += [("To be trusted", (f"{found.here}/help",))]
    rows += [("Data", (str(found.folder),))]
    for title, values in rows:
        for place, value in enumerate(values):
            typer.echo(f"{'' if place else title:<14} {value}")
    if found.hall:
        typer.echo(f"\n{_code(found.hall[0])}\nTablets: {found.hall[0]}")
    typer.echo("\nCtrl-C ends.")


def _halves(fingerprint: str) -> tuple[str, str]:
    """A fingerprint in two lines, as browsers show it."""
    middle = len(fingerprint) // 2 + 1
    return fingerprint[:middle], fingerprint[middle:]


def _code(address: str) -> str:
    """A QR code of an address, in half blocks."""
    import segno  # noqa: PLC0415 - no other command draws one

    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue()
