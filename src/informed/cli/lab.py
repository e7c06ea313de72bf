"""`informed lab`: the same things in a browser."""

from __future__ import annotations

import secrets
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    import uvicorn

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

    import webbrowser

    from informed.web.app import create_app
    from informed.web.connections import Server, configured

    names = (*LOOPBACK, host, socket.gethostname()) if public else LOOPBACK
    with _closing() as closing:
        app = create_app(token=token, hosts=names, file=Path(file).resolve() if file else None)
        try:
            closing.server = server = Server(configured(app))
            server.should_exit = closing.asked
            if not (no_browser or closing.asked):
                webbrowser.open(address)  # the listener is open: the page waits until it is served
            server.run(sockets=[listener])
        finally:
            app.state.lab.close()


@dataclass
class _Closing:
    """Whether the lab was asked to close, which its server does at the next moment."""

    asked: bool = False
    server: uvicorn.Server | None = None

    def ask(self, *_: object) -> None:
        """Close, on a signal. An exception could come in the middle of anything, and leave files or a traceback."""
        self.asked = True
        if self.server is not None:
            self.server.should_exit = True


@contextmanager
def _closing() -> Iterator[_Closing]:
    """Close the lab on Ctrl+C, on a request to end, and when its terminal closes: uploads are removed."""
    closing = _Closing()
    signals = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, closing.ask) for number in signals}
    try:
        yield closing
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
