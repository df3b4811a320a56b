"""The tables of a ledger, for SQLite and PostgreSQL alike.

Rows are appended under small integers; hashes (16 bytes) stand only in narrow unique indexes, because keys are random
and every page that a random key touches is written again.
"""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, Table, Text

SCHEMA_VERSION = 2

PAGE_BYTES = 2048
"""Of a page of SQLite's: see the page on the workspace in the docs for what was tried."""

metadata = MetaData()

meta = Table("meta", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

run = Table(
    "run",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("plan", LargeBinary, nullable=False, unique=True),
    Column("parent", Integer, ForeignKey("run.id")),  # set for judgings
    Column("spec", Text, nullable=False),  # what is hashed into the plan, and what is needed to go on: JSON
    Column("manifest", Text, nullable=False, default="{}"),  # what was recorded, not hashed: JSON
    Column("created", Float, nullable=False),
)

item = Table(
    "item",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("body", Text, nullable=False),
)

run_item = Table(
    "run_item",
    metadata,
    Column("run_id", Integer, ForeignKey("run.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("item_id", Integer, ForeignKey("item.id"), nullable=False),
    Column("key", LargeBinary),  # of the request; none where the item cannot be asked
    Column("error", Text),  # why it cannot
    sqlite_with_rowid=False,
)

sent = Table(
    "sent",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("body", Text, nullable=False),
)

answer = Table(
    "answer",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", LargeBinary, nullable=False, unique=True),
    Column("status", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("thinking", Text, nullable=False),
    Column("finish_reason", Text, nullable=False),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("cached_tokens", Integer),
    Column("reasoning_tokens", Integer),
    Column("latency", Float, nullable=False),
    Column("sent_id", Integer, ForeignKey("sent.id")),
    Column("created", Float, nullable=False),
)

failure = Table(
    "failure",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", LargeBinary, nullable=False),
    Column("kind", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("created", Float, nullable=False),
    Index("failure_key", "key"),
)

reply = Table(  # which requests a judging made, so that they can be counted, shown and deleted with it
    "reply",
    metadata,
    Column("run_id", Integer, ForeignKey("run.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("key", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

verdict = Table(
    "verdict",
    metadata,
    Column("run_id", Integer, ForeignKey("run.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("value", Integer),
    Column("unscored", Text),
    Column("flags", Integer, nullable=False),  # bits in the order of snellen.verdict.FLAGS
    Column("reason", Text, nullable=False),
    Column("measures", Text),
    sqlite_with_rowid=False,
)

owner = Table(
    "owner",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token", Text, nullable=False, unique=True),  # names the lock file that is held while the owner lives
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started", Float, nullable=False),
    sqlite_autoincrement=True,  # a number that stood for an owner who is gone never stands for another
)

claim = Table(
    "claim",
    metadata,
    Column("key", LargeBinary, primary_key=True),
    Column("owner_id", Integer, ForeignKey("owner.id"), nullable=False),
    sqlite_with_rowid=False,
)

batch = Table(  # requests handed to a provider as one file
    "batch",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token", Text, nullable=False, unique=True),  # made here: by it a batch is found again at the provider
    Column("model", Text, nullable=False),
    Column("base_url", Text, nullable=False),
    Column("owner_id", Integer),  # who waits for it; none where nobody does
    Column("state", Text, nullable=False),
    Column("file_id", Text, nullable=False, default=""),  # this and the next three in the provider's words
    Column("batch_id", Text, nullable=False, default=""),
    Column("output_file_id", Text, nullable=False, default=""),
    Column("error_file_id", Text, nullable=False, default=""),
    Column("requests", Integer, nullable=False),
    Column("completed", Integer, nullable=False, default=0),
    Column("failed", Integer, nullable=False, default=0),
    Column("created", Float, nullable=False),
)

batch_request = Table(  # what is still to come of the open batches; a request is in one of them at most
    "batch_request",
    metadata,
    Column("key", LargeBinary, primary_key=True),
    Column("batch_id", Integer, ForeignKey("batch.id"), nullable=False),
    Column("sent", Text, nullable=False),  # parameters and images as sent: JSON
    Index("batch_request_batch", "batch_id"),
    sqlite_with_rowid=False,
)


def seal_name(run_id: int) -> str:
    """Name in `meta` under which a run's plan is sealed."""
    return f"planned:{run_id}"
