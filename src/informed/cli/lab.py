"""`informed lab`: the same things in a browser."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

import click

PORT = 8421


@click.command(name="lab")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), help=f"[default: {PORT}, or a free one]")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--token", help="What others need to get in; a must where --host is not loopback.")
def command(file: str | None, port: int | None, no_browser: bool, host: str, token: str | None) -> None:
    """Open the lab in the browser: tables to play with, files to report, a tour.

    Everything stays on this machine, and nobody else's page can reach it.

    \b
    informed lab
    informed lab predictions.csv
    """
    from informed.web.security import LOOPBACK

    public = host not in LOOPBACK
    if public and not token:
        raise click.UsageError(f"--host {host} lets others on the network in; give a --token that they need.")
    if token is not None and (len(token) < 8 or not token.isascii() or not token.isprintable()):
        raise click.UsageError("A --token needs at least 8 plain characters.")
    token = token or secrets.token_urlsafe(24)
    listener = _listening(host, port)
    port = listener.getsockname()[1]
    name = _name(host)
    address = f"http://{name}:{port}/#token={token}"
    if public:
        click.echo(
            "warning: everybody who reaches this machine and knows the token can use the lab, "
            "and what they send is not encrypted.",
            err=True,
        )
    click.echo(f"The lab is at {address}\nPress Ctrl+C to close it.")

    import uvicorn

    from informed.web.app import create_app
    from informed.web.connections import configured

    _close_tidily()
    names = (*LOOPBACK, host, socket.gethostname()) if public else LOOPBACK
    app = create_app(token=token, hosts=names, file=Path(file).resolve() if file else None)
    if not no_browser:
        import webbrowser

        webbrowser.open(address)  # the listener is open: the page waits until it is served
    try:
        with suppress(KeyboardInterrupt):  # Ctrl+C is how it is closed
            uvicorn.Server(configured(app)).run(sockets=[listener])
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # pressed again, the lab is closing
        app.state.lab.close()


def _close_tidily() -> None:
    """Being ended, or a terminal that closes, removes what was uploaded as Ctrl+C does."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # as long as no server is there
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))


def _listening(host: str, port: int | None) -> socket.socket:
    """A socket at the port that was asked for, or at the usual one, or at a free one."""
    for wanted in [PORT, 0] if port is None else [port]:
        try:
            return socket.create_server((host, wanted), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        except OSError as error:
            if wanted == PORT and port is None:
                continue
            raise click.ClickException(f"Cannot listen at {host}:{wanted}: {error.strerror}.") from None
    raise AssertionError("port 0 is always free")


def _name(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
