"""Opening the workspace's database, and turning its errors into ours."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, exc, inspect, select

from snellen.errors import LedgerError
from snellen.ledger import schema as t
from snellen.ledger.read_only import Opened, may_write, open_read_only

NETWORK_FILE_SYSTEMS = frozenset(
    [
        "nfs",
        "nfs4",
        "cifs",
        "smb",
        "smb2",
        "smb3",
        "smbfs",
        "afpfs",
        "afs",
        "ncpfs",
        "lustre",
        "gpfs",
        "beegfs",
        "ceph",
        "glusterfs",
        "fuse.sshfs",
        "fuse.glusterfs",
        "fuse.ceph",
        "fuse.s3fs",
        "fuse.gcsfuse",
        "fuse.rclone",
        "webdav",
        "davfs",
    ]
)


PRAGMAS = (
    f"PRAGMA page_size={t.PAGE_BYTES}",  # of a file that is made now; that of another stays
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",  # a power cut may lose the last commits, never the database
    f"PRAGMA wal_autocheckpoint={(32 << 20) // t.PAGE_BYTES}",  # pages that are hot go to the file once, not often
    "PRAGMA foreign_keys=OFF",
)


class Database:
    """The file ``ledger.sqlite`` in a workspace, its transactions and its schema version.

    Attributes:
        folder: the workspace.
        path: the file.
        read_only: whether the workspace cannot be written; it can be read all the same.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "ledger.sqlite"
        self.read_only = self.path.is_file() and not may_write(self.path)
        self._opened: Opened | None = None
        if not self.read_only:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise LedgerError(
                    f"the workspace {folder} cannot be made: {error.strerror}; choose another with --workspace"
                ) from error
        _refuse_network_file_system(folder)
        with self.errors():
            if self.read_only:
                self._opened = open_read_only(self.path)
            self._engine = _open(self.path, self._opened)
            self._reader = self._engine.execution_options(snellen_reads=True)
            self._mine = threading.local()
            try:
                self._check_schema()
                self._file = self._identity()
            except BaseException:
                self.dispose()
                raise

    def dispose(self) -> None:
        """Close all connections."""
        self._engine.dispose()
        if self._opened is not None:
            self._opened.close()

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Turn the database's errors into ours, which say what to do."""
        try:
            yield
        except (exc.SQLAlchemyError, sqlite3.Error) as error:
            text = str(getattr(error, "orig", None) or error)
            advice = f"look at the disk, its space and the quota under {self.folder}; nothing finished is lost"
            if "full" in text:
                advice = "the disk is full; make room and run the same command again: nothing finished is lost"
            elif "readonly" in text or "read-only" in text or "unable to open" in text:
                advice = f"{self.folder} cannot be written; choose another with --workspace or mend its permissions"
            elif "malformed" in text or "not a database" in text:
                advice = f"{self.path} is damaged or not a ledger; move it away, or give another --workspace"
            elif "locked" in text:
                advice = "another program holds the database; wait for it to end"
            raise LedgerError(f"{text}: {advice}") from error
        except OSError as error:
            raise LedgerError(f"{self.folder}: {error.strerror or error}; choose another with --workspace") from error

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction that may write: it waits for other writers at its beginning.

        Within another one of the same thread it is a part of that one: what fails in a part undoes the whole.
        """
        outer: _Transaction | None = getattr(self._mine, "transaction", None)
        if outer is not None:
            with self.errors(), outer.part() as connection:
                yield connection
            return
        with self.errors():
            self.refuse_if_read_only()
            if self._identity() != self._file:
                raise LedgerError(f"{self.path} was replaced while it was in use: what was asked since is lost")
            transaction: _Transaction | None = None
            committed = False
            try:
                with self._engine.begin() as connection:
                    transaction = self._mine.transaction = _Transaction(connection)
                    yield connection
                    if transaction.failed:
                        raise LedgerError("a part of a transaction failed: nothing of it was kept")
                committed = True
            finally:
                self._mine.transaction = None
                for tell in transaction.watchers if transaction is not None else ():
                    tell(committed)

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """One transaction that only reads: it waits for nobody. Within one that writes it sees what that wrote."""
        outer: _Transaction | None = getattr(self._mine, "transaction", None)
        if outer is not None:
            with self.errors(), outer.part() as connection:
                yield connection
            return
        with self.errors(), self._reader.begin() as connection:
            yield connection

    def when_over(self, tell: Callable[[bool], None]) -> None:
        """Tell, once the thread's open transaction has come to its end, whether it was committed."""
        self._mine.transaction.watchers.append(tell)

    def refuse_if_read_only(self) -> None:
        """Raises LedgerError where nothing can be written."""
        if self.read_only:
            raise LedgerError(
                f"the workspace {self.folder} can only be read: mend its permissions, copy it to where you may write,"
                " or choose another with --workspace"
            )

    @contextlib.contextmanager
    def bare(self) -> Iterator[Any]:
        """A cursor of the driver's outside of any transaction, for what none may surround (``VACUUM``)."""
        with self.errors():
            self.refuse_if_read_only()
            connection = self._engine.raw_connection()
            try:
                yield connection.cursor()
            finally:
                connection.close()

    def _identity(self) -> tuple[int, int]:
        """Which file stands under our name: a database that was deleted can still be written, and is lost."""
        try:
            status = self.path.stat()
        except FileNotFoundError as error:
            raise LedgerError(f"{self.path} was deleted while it was in use: what was asked since is lost") from error
        return status.st_dev, status.st_ino

    def _check_schema(self) -> None:
        with self._engine.begin() as connection:
            tables = set(inspect(connection).get_table_names())
            if not tables:
                self.refuse_if_read_only()
                t.metadata.create_all(connection)
                connection.execute(t.meta.insert(), {"name": "schema_version", "value": str(t.SCHEMA_VERSION)})
                return
            if "meta" not in tables:
                raise LedgerError(f"{self.path} is another program's database; give another --workspace")
            version = connection.execute(select(t.meta.c.value).where(t.meta.c.name == "schema_version")).scalar()
        if version != str(t.SCHEMA_VERSION):
            newer = version is not None and version.isdigit() and int(version) > t.SCHEMA_VERSION
            advice = "upgrade Snellen" if newer else "use the Snellen that made it"
            raise LedgerError(
                f"{self.path} has schema version {version}, this Snellen speaks {t.SCHEMA_VERSION}: {advice}, or give"
                " another --workspace; nothing was changed"
            )


class _Transaction:
    """A transaction at work, and who wants to know how it ends."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.failed = False
        self.watchers: list[Callable[[bool], None]] = []

    @contextlib.contextmanager
    def part(self) -> Iterator[Connection]:
        try:
            yield self.connection
        except BaseException:
            self.failed = True
            raise


def _open(path: Path, opened: Opened | None) -> Engine:
    address, uri = (opened.address, True) if opened is not None else (str(path), False)

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(address, timeout=30.0, check_same_thread=False, cached_statements=256, uri=uri)

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, not by the driver
        cursor = connection.cursor()
        for pragma in PRAGMAS if opened is None else ():
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A writer waits for its turn at the beginning, instead of being refused when it first writes.
        reads = opened is not None or connection.get_execution_options().get("snellen_reads")
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def _refuse_network_file_system(folder: Path) -> None:
    import psutil

    best, kind = "", ""
    try:
        where = str(folder.resolve())
        for part in psutil.disk_partitions(all=True):
            mount = part.mountpoint
            inside = where == mount or where.startswith(mount.rstrip("/") + "/")
            if inside and len(mount) >= len(best):
                best, kind = mount, part.fstype.lower()
    except OSError:  # no list of mounts on this system: SQLite itself still reports what it cannot lock
        return
    if kind in NETWORK_FILE_SYSTEMS:
        raise LedgerError(
            f"the workspace {folder} lies on a network file system ({kind}), where SQLite loses data; give a"
            " --workspace on a local disk"
        )
