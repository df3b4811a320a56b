"""The statements that are run for every item, made once.

SQLAlchemy Core speaks every database's dialect, and takes 0.1 ms and more for each statement that it is handed. So what
is run all the time is turned into text once for a dialect, and goes to the driver as that. A list of keys is filled up
to one of a few lengths, since a statement of another length is another statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, Integer, and_, bindparam, delete, select
from sqlalchemy.dialects import sqlite

from snellen.ledger import schema as t
from snellen.ledger.rows import ANSWER_COLUMNS

_LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)

Bind = Callable[[Sequence[Any]], Any]


class Prepared:
    """A statement whose text is made once for each dialect.

    Args:
        statement: with a ``bindparam`` for each name, or an insert.
        names: of its parameters, in the order in which their values are given.
    """

    def __init__(self, statement: Any, *names: str) -> None:
        self._statement, self._names = statement, names
        self._made: dict[str, tuple[str, Bind]] = {}

    def rows(self, connection: Connection, *values: Any) -> Sequence[Any]:
        """The rows that a query finds, as tuples."""
        text, bind = self._for(connection)
        return connection.exec_driver_sql(text, bind(values)).all()

    def each(self, connection: Connection, rows: Iterable[Sequence[Any]]) -> None:
        """Run it once for each row of values."""
        text, bind = self._for(connection)
        values = [bind(row) for row in rows]
        if values:
            connection.exec_driver_sql(text, values)

    def _for(self, connection: Connection) -> tuple[str, Bind]:
        made = self._made.get(connection.dialect.name)
        if made is None:
            made = self._made[connection.dialect.name] = self._make(connection)
        return made

    def _make(self, connection: Connection) -> tuple[str, Bind]:
        column_keys = list(self._names) if self._statement.is_insert else None
        compiled = self._statement.compile(dialect=connection.dialect, column_keys=column_keys)
        names, fixed, order = self._names, dict(compiled.params), compiled.positiontup
        if order is None:  # a driver that takes names
            return str(compiled), lambda values: fixed | dict(zip(names, values, strict=True))
        if tuple(order) == names:
            return str(compiled), tuple
        constants = [name for name in dict.fromkeys(order) if name not in names]  # OFFSET 0 and such
        rest = tuple(fixed[name] for name in constants)
        places = [(*names, *constants).index(name) for name in order]

        def bind(values: Sequence[Any]) -> tuple[Any, ...]:
            every = (*values, *rest)
            return tuple(every[place] for place in places)

        return str(compiled), bind


class PreparedIn:
    """A query over a list of values, made once for each of a few lengths.

    Args:
        make: gives the query for the parameters of its list.
        names: of its other parameters, which come first.
    """

    def __init__(self, make: Callable[[list[BindParameter[Any]]], Any], *names: str) -> None:
        self._make, self._names = make, names
        self._by_length: dict[int, Prepared] = {}

    def rows(self, connection: Connection, wanted: Sequence[Any], *values: Any) -> list[Any]:
        """The rows found for a list of any length, a few hundred at a time."""
        found: list[Any] = []
        longest = _LENGTHS[-1]
        for start in range(0, len(wanted), longest):
            part = wanted[start : start + longest]
            length = next(length for length in _LENGTHS if length >= len(part))
            padding = [part[-1]] * (length - len(part))  # a value twice in the list is found once
            found += self._of(length).rows(connection, *values, *part, *padding)
        return found

    def _of(self, length: int) -> Prepared:
        if length not in self._by_length:
            listed = [f"in{number}" for number in range(length)]
            self._by_length[length] = Prepared(self._make([*map(bindparam, listed)]), *self._names, *listed)
        return self._by_length[length]


_RESULTS = (
    select(
        t.run_item.c.position,
        t.run_item.c.key,
        t.run_item.c.error,
        t.item.c.body,
        t.answer.c.id,
        *ANSWER_COLUMNS,
        t.verdict.c.run_id,
        t.verdict.c.value,
        t.verdict.c.unscored,
        t.verdict.c.flags,
        t.verdict.c.reason,
        t.verdict.c.measures,
    )
    .select_from(t.run_item)
    .join(t.item, t.item.c.id == t.run_item.c.item_id)
    .outerjoin(t.answer, t.answer.c.key == t.run_item.c.key)
    .outerjoin(
        t.verdict,
        and_(t.verdict.c.run_id == bindparam("judging"), t.verdict.c.position == t.run_item.c.position),
    )
    .where(t.run_item.c.run_id == bindparam("run"))
    .order_by(t.run_item.c.position)
)
_AFTER = _RESULTS.where(t.run_item.c.position > bindparam("after")).limit(bindparam("most", type_=Integer))

RESULTS_AFTER = Prepared(_AFTER, "judging", "run", "after", "most")
RESULTS_AT = PreparedIn(lambda listed: _RESULTS.where(t.run_item.c.position.in_(listed)), "judging", "run")
UNJUDGED = Prepared(
    _AFTER.where(t.verdict.c.run_id.is_(None), t.answer.c.id.is_not(None), t.answer.c.id <= bindparam("newest")),
    "judging",
    "run",
    "after",
    "newest",
    "most",
)
UNANSWERED = Prepared(
    select(t.run_item.c.position, t.item.c.body, t.run_item.c.key)
    .join(t.item, t.item.c.id == t.run_item.c.item_id)
    .outerjoin(t.answer, t.answer.c.key == t.run_item.c.key)
    .where(
        t.run_item.c.run_id == bindparam("run"),
        t.run_item.c.position > bindparam("after"),
        t.run_item.c.key.is_not(None),
        t.answer.c.id.is_(None),
    )
    .order_by(t.run_item.c.position)
    .limit(bindparam("most", type_=Integer)),
    "run",
    "after",
    "most",
)

ANSWERED = PreparedIn(lambda listed: select(t.answer.c.key).where(t.answer.c.key.in_(listed)))
ANSWERS = PreparedIn(lambda listed: select(t.answer.c.key, *ANSWER_COLUMNS).where(t.answer.c.key.in_(listed)))
FAILURES = PreparedIn(
    lambda listed: (
        select(t.failure.c.key, t.failure.c.kind, t.failure.c.message)
        .where(t.failure.c.key.in_(listed))
        .order_by(t.failure.c.id)
    )
)
ITEM_IDS = PreparedIn(lambda listed: select(t.item.c.hash, t.item.c.id).where(t.item.c.hash.in_(listed)))
SENT_IDS = PreparedIn(lambda listed: select(t.sent.c.hash, t.sent.c.id).where(t.sent.c.hash.in_(listed)))

PUT_ITEM = Prepared(sqlite.insert(t.item).on_conflict_do_nothing(), "hash", "body")
PUT_SENT = Prepared(sqlite.insert(t.sent).on_conflict_do_nothing(), "hash", "body")
PUT_ANSWER = Prepared(
    sqlite.insert(t.answer).on_conflict_do_nothing(), "key", *(column.name for column in ANSWER_COLUMNS), "created"
)
PUT_FAILURE = Prepared(t.failure.insert(), "key", "kind", "message", "created")
FORGET_FAILURE = Prepared(delete(t.failure).where(t.failure.c.key == bindparam("k")), "k")

PUT_CLAIM = Prepared(sqlite.insert(t.claim).on_conflict_do_nothing(), "key", "owner_id")
FORGET_CLAIM = Prepared(delete(t.claim).where(t.claim.c.key == bindparam("k")), "k")
OTHERS_CLAIM = Prepared(select(t.claim.c.owner_id).where(t.claim.c.owner_id != bindparam("owner")).limit(1), "owner")
HOLDERS = PreparedIn(lambda listed: select(t.claim.c.key, t.claim.c.owner_id).where(t.claim.c.key.in_(listed)))


def _upsert(table: Any, found_by: Sequence[str], changed: Sequence[str], *, unless_the_same: bool = False) -> Prepared:
    insert = sqlite.insert(table)
    new = {name: insert.excluded[name] for name in changed}
    # A plan that says the same again is not written again: a resumed run leaves the pages alone.
    differs = None
    if unless_the_same:
        for name in changed:
            different = table.c[name].is_distinct_from(new[name])
            differs = different if differs is None else differs | different
    statement = insert.on_conflict_do_update(index_elements=list(found_by), set_=new, where=differs)
    return Prepared(statement, *found_by, *changed)


PUT_RUN_ITEM = _upsert(t.run_item, ("run_id", "position"), ("item_id", "key", "error"), unless_the_same=True)
PUT_VERDICT = _upsert(t.verdict, ("run_id", "position"), ("value", "unscored", "flags", "reason", "measures"))
PUT_REPLY = _upsert(t.reply, ("run_id", "position", "attempt"), ("key",))
