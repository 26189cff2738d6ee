"""The addresses of this machine in its networks."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address

LOOPBACK = "127.0.0.1"
PORT = 8765
"""The default port of the service."""


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses under which other machines reach this one, likeliest first; none without a network."""
    addresses = [address for address in (*_outgoing(), *_interfaces()) if not IPv4Address(address).is_loopback]
    # Link-local addresses come last: a machine assigns them to itself if it gets no other.
    return sorted(dict.fromkeys(addresses), key=lambda address: IPv4Address(address).is_link_local)


def likely_address(port: int = PORT) -> str:
    """Return the URL under which other machines reach that port of this one; the loopback address without a network."""
    return f"http://{(*lan_addresses(), LOOPBACK)[0]}:{port}"


def _outgoing() -> Iterator[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out, suppress(OSError):
        # This sends nothing; it only selects the address for outgoing packets.
        out.connect(("192.0.2.1", 9))
        yield out.getsockname()[0]


def _interfaces() -> Iterator[str]:
    if sys.platform == "win32":
        with suppress(OSError):
            yield from socket.gethostbyname_ex(socket.gethostname())[2]
        return
    import fcntl  # noqa: PLC0415 - Windows has none

    request_code = 0xC0206921 if sys.platform == "darwin" else 0x8915
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        for _, name in socket.if_nameindex():
            # An interface that is down or has only IPv6 has no IPv4 address.
            with suppress(OSError):
                data = fcntl.ioctl(out, request_code, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(data[20:24])
