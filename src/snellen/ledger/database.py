"""Opening the workspace's database, and turning its errors into ours."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from snellen.errors import LedgerError
from snellen.ledger import schema
from snellen.ledger.read_only import Opened, may_write, open_read_only
from snellen.ledger.statements import column, value

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

_ADVICE = (  # by SQLite's primary codes
    (
        {sqlite3.SQLITE_FULL},
        "the disk is full; make room and run the same command again: nothing finished is lost",
    ),
    (
        {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM},
        "{folder} cannot be written; choose another with --workspace or mend its permissions",
    ),
    (
        {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB},
        "{path} is damaged or not a ledger; move it away, or give another --workspace",
    ),
    (
        {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL},
        "another program holds the database; wait for it to end",
    ),
)
_OTHER_ADVICE = "look at the disk, its space and the quota under {folder}; nothing finished is lost"


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
        self._idle: deque[sqlite3.Connection] = deque()
        self._disposed = False
        self._mine = threading.local()
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
            try:
                self._check_schema()
                self._file = self._identity()
            except BaseException:
                self.dispose()
                raise

    def dispose(self) -> None:
        """Close all connections; one at work in another thread is closed when its transaction is over."""
        self._disposed = True
        while self._idle:
            self._idle.pop().close()
        if self._opened is not None:
            self._opened.close()

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Turn the database's errors into ours, which say what to do."""
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # none where it is the driver that objects
            advice = next((advice for codes, advice in _ADVICE if code in codes), _OTHER_ADVICE)
            raise LedgerError(f"{error}: {advice.format(folder=self.folder, path=self.path)}") from error
        except OSError as error:
            raise LedgerError(f"{self.folder}: {error.strerror or error}; choose another with --workspace") from error

    @contextlib.contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
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
                with self._transaction("BEGIN IMMEDIATE") as connection:
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
    def read(self) -> Iterator[sqlite3.Connection]:
        """One transaction that only reads: it waits for nobody. Within one that writes it sees what that wrote."""
        outer: _Transaction | None = getattr(self._mine, "transaction", None)
        if outer is not None:
            with self.errors(), outer.part() as connection:
                yield connection
            return
        with self.errors(), self._transaction("BEGIN") as connection:
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
    def bare(self) -> Iterator[sqlite3.Connection]:
        """A connection outside of any transaction, for what none may surround (``VACUUM``)."""
        with self.errors():
            self.refuse_if_read_only()
            connection = self._take()
            try:
                yield connection
            finally:
                self._put_back(connection)

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        # A writer waits for its turn at the beginning (IMMEDIATE), instead of being refused when it first writes.
        connection = self._take()
        try:
            connection.execute(begin)
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                connection.rollback()
            raise
        finally:
            self._put_back(connection)

    def _take(self) -> sqlite3.Connection:
        """A connection that nobody uses. Any thread may use it, one at a time."""
        try:
            return self._idle.pop()
        except IndexError:
            return _connect(self.path, self._opened)

    def _put_back(self, connection: sqlite3.Connection) -> None:
        if self._disposed or connection.in_transaction:  # what could not be undone ends with the connection
            connection.close()
        else:
            self._idle.append(connection)

    def _identity(self) -> tuple[int, int]:
        """Which file stands under our name: one that was moved or deleted can still be written, and nobody finds it."""
        try:
            status = self.path.stat()
        except FileNotFoundError as error:
            what = "was moved, renamed or deleted while it was in use"
            advice = "if it was moved, put it back or name its new place; what was asked before is there"
            raise LedgerError(f"{self.path} {what}: {advice}. If it was deleted, its answers are lost") from error
        return status.st_dev, status.st_ino

    def _check_schema(self) -> None:
        with self._transaction("BEGIN" if self.read_only else "BEGIN IMMEDIATE") as connection:
            tables = [name for name in column(connection, schema.NAMES_OF_TABLES) if not name.startswith("sqlite_")]
            if not tables:
                self.refuse_if_read_only()
                for statement in schema.TABLES:
                    connection.execute(statement)
                version = str(schema.SCHEMA_VERSION)
                connection.execute("INSERT INTO meta (name, value) VALUES ('schema_version', ?)", (version,))
                return
            if "meta" not in tables:
                raise LedgerError(f"{self.path} is another program's database; give another --workspace")
            version = value(connection, "SELECT value FROM meta WHERE name = 'schema_version'")
        if version != str(schema.SCHEMA_VERSION):
            newer = version is not None and version.isdigit() and int(version) > schema.SCHEMA_VERSION
            advice = "upgrade Snellen" if newer else "use the Snellen that made it"
            raise LedgerError(
                f"{self.path} has schema version {version}, this Snellen speaks {schema.SCHEMA_VERSION}: {advice}, or"
                " give another --workspace; nothing was changed"
            )


class _Transaction:
    """A transaction at work, and who wants to know how it ends."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.failed = False
        self.watchers: list[Callable[[bool], None]] = []

    @contextlib.contextmanager
    def part(self) -> Iterator[sqlite3.Connection]:
        if not self.connection.in_transaction:  # SQLite undid it (the disk is full): what follows would be kept alone
            raise LedgerError("a part of a transaction failed: nothing of it was kept")
        try:
            yield self.connection
        except BaseException:
            self.failed = True
            raise


def _connect(path: Path, opened: Opened | None) -> sqlite3.Connection:
    address, uri = (opened.address, True) if opened is not None else (str(path), False)
    connection = sqlite3.connect(
        address,
        timeout=30.0,
        isolation_level=None,  # transactions are begun above, not by the driver
        check_same_thread=False,
        cached_statements=256,
        uri=uri,
    )
    try:
        for pragma in schema.PRAGMAS if opened is None else ():
            connection.execute(pragma)
    except BaseException:
        connection.close()
        raise
    return connection


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
