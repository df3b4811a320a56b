"""The tables of a ledger, and how SQLite is told to make and to keep them.

Rows are appended under small integers; hashes (16 bytes) stand only in narrow unique indexes, because keys are random
and every page that a random key touches is written again.

What is SQLite's own stands here: types, ``WITHOUT ROWID``, pragmas. All other statements of the ledger keep to what
SQLite and PostgreSQL have in common.
"""

from __future__ import annotations

SCHEMA_VERSION = 2

PAGE_BYTES = 2048
"""Of a page of SQLite's: see the page on the workspace in the docs for what was tried."""

PRAGMAS = (
    f"PRAGMA page_size={PAGE_BYTES}",  # of a file that is made now; that of another stays
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",  # a power cut may lose the last commits, never the database
    f"PRAGMA wal_autocheckpoint={(32 << 20) // PAGE_BYTES}",  # pages that are hot go to the file once, not often
    "PRAGMA foreign_keys=OFF",
)

JOINED = "group_concat(hex({}), '')"
"""All values of a column of bytes as one text, in the order of rows."""

NAMES_OF_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"

TABLES = (
    """
CREATE TABLE meta (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
)
""",
    # parent: set for judgings. spec: what is hashed into the plan, and what is needed to go on, as JSON. manifest: what
    # was recorded and not hashed, as JSON.
    """
CREATE TABLE run (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    plan BLOB NOT NULL,
    parent INTEGER,
    spec TEXT NOT NULL,
    manifest TEXT NOT NULL,
    created FLOAT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (name),
    UNIQUE (plan),
    FOREIGN KEY (parent) REFERENCES run (id)
)
""",
    """
CREATE TABLE item (
    id INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (hash)
)
""",
    # key: of the request, none where the item cannot be asked; error: why it cannot.
    """
CREATE TABLE run_item (
    run_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    item_id INTEGER NOT NULL,
    key BLOB,
    error TEXT,
    PRIMARY KEY (run_id, position),
    FOREIGN KEY (run_id) REFERENCES run (id),
    FOREIGN KEY (item_id) REFERENCES item (id)
) WITHOUT ROWID
""",
    """
CREATE TABLE sent (
    id INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (hash)
)
""",
    """
CREATE TABLE answer (
    id INTEGER NOT NULL,
    key BLOB NOT NULL,
    status TEXT NOT NULL,
    text TEXT NOT NULL,
    thinking TEXT NOT NULL,
    finish_reason TEXT NOT NULL,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    cached_tokens INTEGER,
    reasoning_tokens INTEGER,
    latency FLOAT NOT NULL,
    sent_id INTEGER,
    created FLOAT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (key),
    FOREIGN KEY (sent_id) REFERENCES sent (id)
)
""",
    """
CREATE TABLE failure (
    id INTEGER NOT NULL,
    key BLOB NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    created FLOAT NOT NULL,
    PRIMARY KEY (id)
)
""",
    "CREATE INDEX failure_key ON failure (key)",
    # Which requests a judging made, so that they can be counted, shown and deleted with it.
    """
CREATE TABLE reply (
    run_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    key BLOB NOT NULL,
    PRIMARY KEY (run_id, position, attempt),
    FOREIGN KEY (run_id) REFERENCES run (id)
) WITHOUT ROWID
""",
    # flags: bits in the order of snellen.verdict.FLAGS.
    """
CREATE TABLE verdict (
    run_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    value INTEGER,
    unscored TEXT,
    flags INTEGER NOT NULL,
    reason TEXT NOT NULL,
    measures TEXT,
    PRIMARY KEY (run_id, position),
    FOREIGN KEY (run_id) REFERENCES run (id)
) WITHOUT ROWID
""",
    # A number that stood for an owner who is gone never stands for another. token: names the lock file that is held
    # while the owner lives.
    """
CREATE TABLE owner (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started FLOAT NOT NULL,
    UNIQUE (token)
)
""",
    """
CREATE TABLE claim (
    key BLOB NOT NULL,
    owner_id INTEGER NOT NULL,
    PRIMARY KEY (key),
    FOREIGN KEY (owner_id) REFERENCES owner (id)
) WITHOUT ROWID
""",
    # Requests handed to a provider as one file. token: made here, by it a batch is found again at the provider.
    # owner_id: who waits for it, none where nobody does. The four ids of files and batch are the provider's words.
    """
CREATE TABLE batch (
    id INTEGER NOT NULL,
    token TEXT NOT NULL,
    model TEXT NOT NULL,
    base_url TEXT NOT NULL,
    owner_id INTEGER,
    state TEXT NOT NULL,
    file_id TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    output_file_id TEXT NOT NULL,
    error_file_id TEXT NOT NULL,
    requests INTEGER NOT NULL,
    completed INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    created FLOAT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (token)
)
""",
    # What is still to come of the open batches; a request is in one of them at most. sent: parameters and images as
    # sent, as JSON.
    """
CREATE TABLE batch_request (
    key BLOB NOT NULL,
    batch_id INTEGER NOT NULL,
    sent TEXT NOT NULL,
    PRIMARY KEY (key),
    FOREIGN KEY (batch_id) REFERENCES batch (id)
) WITHOUT ROWID
""",
    "CREATE INDEX batch_request_batch ON batch_request (batch_id)",
)
