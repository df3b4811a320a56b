"""The verdicts of runs as a data frame, a row for each.

Columns, always in this order:

| column | type | what |
| --- | --- | --- |
| ``run`` | String | name of the judging: ``charthal/qwen2.5-vl-7b-3f2a@rules`` |
| ``position`` | Int64 | place in the run's plan |
| ``item`` | String | id: ``shale/831@jpeg:3`` |
| ``cluster`` | String | the original image that the item stems from |
| ``pair`` | String | id of the clean item: its own, or that of which it is a changed version |
| ``language`` | String | of the question |
| ``change`` | String | what was changed, ``jpeg:3+typos:2``; null on clean items |
| ``perturbation`` | String | the same without severities: ``jpeg+typos`` |
| ``severity`` | Int64 | of a single change; null on clean items, and where changes are combined |
| ``truth`` | String | ``kept``, ``altered``, ``removed``, ``unknown``; null on clean items |
| ``answerable`` | Boolean | whether an answer exists, by the benchmark's card |
| ``value`` | Int8 | 1 free of hallucination, 0 not; null unscored |
| ``unscored`` | String | why it is unscored, of `snellen.verdict.UNSCORED`; else null |
| ``abstained`` ... ``hedged`` | Boolean | a column for each of `snellen.verdict.FLAGS` |
| ``silent`` | Boolean | whether the answer claims nothing (declines, empty, unclear); null unscored |
| ``confidence`` | Float64 | in [0, 1], null where there is none; only where it is asked for |
| labels | String | a column for each, called like it; null on an item without |
| ``recall_numerator``, ``recall_denominator`` | Float64 | two columns for each measure; null on a verdict without |

A label that is called like one of these columns, like a measure's, or ``label:...``, has ``label:`` before its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np
import numpy.typing as npt
import orjson

from snellen.errors import DataError, UsageError
from snellen.ledger.item_names import item_names
from snellen.statistics.columns import need_polars
from snellen.table import CHANGE, LANGUAGE, TRUTH, VerdictTable
from snellen.verdict import FLAGS, UNSCORED

if TYPE_CHECKING:
    import polars as pl

    from snellen.engine.certainty import Source
    from snellen.engine.judged import Judged
    from snellen.engine.workspace import Workspace
    from snellen.library import Run

    OneRun: TypeAlias = Union[Run, Judged, str]  # noqa: UP007

NAMES = ("run", "position", "item", "cluster", "pair", "language")
CHANGES = ("change", "perturbation", "severity", "truth")
VALUES = ("answerable", "value", "unscored", *FLAGS, "silent", "confidence")
OWN = (*NAMES, *CHANGES, *VALUES)
"""The columns that are neither labels nor measures."""

_NUMERATOR, _DENOMINATOR = "_numerator", "_denominator"
_LABEL = "label:"
_ROWS = 20_000  # names that are held as Python's own strings at a time


def frame(
    runs: OneRun | Sequence[OneRun],
    *,
    workspace: Workspace | Path | str | None = None,
    confidence: bool | Source = False,
) -> pl.DataFrame:
    """The verdicts of one run, or of several one below the other; columns are those of `snellen.statistics.verdicts`.

    Args:
        runs: what `snellen.run` gives, what `snellen.open_judged` gives, or names as on the command line.
        workspace: where names are looked up: a folder, or a workspace that is open.
        confidence: add the column: True for what answers state in words, else their tokens' probabilities; ``words``
            or ``tokens`` for one of them. All answers are read for it.

    Raises:
        UsageError: there is no such run, names without a workspace, one run twice, or Polars is not installed.

    Example:
        >>> table = snellen.frame(["charthal/a-3f2a91", "charthal/b-81c0de"], workspace="snellen")  # doctest: +SKIP
        >>> statistics.compare(table, table["run"][0], by="relation")  # doctest: +SKIP
    """
    from snellen.engine.workspace import Workspace

    wanted = [runs] if isinstance(runs, str) or not isinstance(runs, Sequence) else list(runs)
    if not wanted:
        raise UsageError("name a run")
    need_polars()
    named = any(isinstance(each, str) for each in wanted)
    if named and workspace is None:
        raise UsageError("runs are looked up by name in a workspace: give workspace=")
    if not named or isinstance(workspace, Workspace):
        return _stacked([_judged(each, workspace if named else None) for each in wanted], confidence)  # type: ignore[arg-type]
    assert workspace is not None
    with Workspace(workspace) as opened:
        return _stacked([_judged(each, opened) for each in wanted], confidence)


def _judged(run: OneRun, workspace: Workspace | None) -> Judged:
    from snellen.engine.judged import Judged
    from snellen.library import Run, open_judged

    if isinstance(run, Judged):
        return run
    if isinstance(run, Run):
        return run.judged
    if isinstance(run, str) and workspace is not None:
        return open_judged(workspace, run)
    raise UsageError(f"a run is what snellen.run or snellen.open_judged gives, or its name, not {type(run).__name__}")


def _stacked(runs: Sequence[Judged], confidence: bool | Source) -> pl.DataFrame:
    import polars as pl

    names = [run.name for run in runs]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"{twice[0]} is named twice, and its rows would count twice")
    whole = pl.concat([_one(run, confidence) for run in runs], how="diagonal")
    return _in_order(whole, [label for run in runs for label in run.card.labels])


def _in_order(whole: pl.DataFrame, labels: Sequence[str]) -> pl.DataFrame:
    """Own columns, labels in the cards' order and then by name, measures by name."""
    measures = sorted(
        name for name in whole.columns if name.endswith((_NUMERATOR, _DENOMINATOR)) and _LABEL not in name
    )
    measures.sort(key=lambda name: (name.rpartition("_")[0], name.endswith(_DENOMINATOR)))
    known = dict.fromkeys(column_of(label) for label in labels)
    rest = sorted(set(whole.columns) - set(OWN) - set(measures) - set(known))
    order = [*OWN, *known, *rest, *measures]
    return whole.select([name for name in order if name in whole.columns])


def column_of(label: str) -> str:
    """The column of a label.

    >>> column_of("relation"), column_of("value")
    ('relation', 'label:value')
    """
    taken = label in OWN or label.startswith(_LABEL) or label.endswith((_NUMERATOR, _DENOMINATOR))
    return f"{_LABEL}{label}" if taken else label


def _one(run: Judged, confidence: bool | Source) -> pl.DataFrame:
    import polars as pl

    table = run.table
    names = _names(run, table)
    columns: dict[str, Any] = {"run": pl.repeat(run.name, len(table), dtype=pl.String, eager=True)}
    columns |= {"position": pl.Series(table.positions, dtype=pl.Int64)}
    columns |= {name: names.get_column(name) for name in ("item", "cluster", "pair")}
    columns["language"] = _label(table, LANGUAGE)
    columns |= _changes(_label(table, CHANGE))
    columns["truth"] = _label(table, TRUTH)
    columns["answerable"] = pl.Series(table.answerable, dtype=pl.Boolean)
    columns["value"] = _nullable(table.values, table.scored)
    columns["unscored"] = _words(UNSCORED, table.reasons)
    columns |= {flag: pl.Series(table.flag(flag), dtype=pl.Boolean) for flag in FLAGS}
    columns["silent"] = _silent(table)
    if confidence:
        from snellen.engine.certainty import confidences, source_of

        source = None if confidence is True else source_of(confidence)
        columns["confidence"] = pl.Series(confidences(run, table, source)[0], dtype=pl.Float64).fill_nan(None)
    for label in table.label_names:
        if label not in (LANGUAGE, CHANGE, TRUTH):
            columns[column_of(label)] = _label(table, label)
    for measure, (top, bottom) in table.measures.items():
        columns[f"{measure}{_NUMERATOR}"] = pl.Series(top, dtype=pl.Float64).fill_nan(None)
        columns[f"{measure}{_DENOMINATOR}"] = pl.Series(bottom, dtype=pl.Float64).fill_nan(None)
    return pl.DataFrame(columns)


def _names(run: Judged, table: VerdictTable) -> pl.DataFrame:
    """Id, cluster and clean item of each row of the table."""
    import polars as pl

    schema = dict.fromkeys(("item", "cluster", "pair"), pl.String)
    parts = [pl.DataFrame(schema=schema)]
    rows: list[tuple[str, str, str]] = []
    chosen = iter(table.positions.tolist())
    wanted = next(chosen, None)
    for page in item_names(run.workspace.ledger, run.run.id):
        for position, *names in page:
            if position == wanted:
                rows.append((names[0], names[1], names[2]))
                wanted = next(chosen, None)
        if len(rows) >= _ROWS:
            parts.append(pl.DataFrame(rows, schema=schema, orient="row"))
            rows = []
    parts.append(pl.DataFrame(rows, schema=schema, orient="row"))
    whole = pl.concat(parts)
    if len(whole) != len(table):
        raise DataError(f"{run.name} has verdicts on {len(table):,} items, of which {len(whole):,} are in its plan")
    return whole


def _label(table: VerdictTable, name: str) -> pl.Series:
    import polars as pl

    if name not in table.label_names:
        return pl.repeat(None, len(table), dtype=pl.String, eager=True)
    return _words(table.label_values(name), table.codes[name])


def _words(known: Sequence[str], codes: npt.NDArray[Any]) -> pl.Series:
    """The words that codes stand for; null for -1."""
    import polars as pl

    places = np.where(codes < 0, len(known), codes).astype(np.int64)
    return pl.Series([*known, None], dtype=pl.String).gather(places)


def _nullable(values: npt.NDArray[Any], there: npt.NDArray[np.bool_]) -> pl.Series:
    import polars as pl

    return pl.select(pl.when(pl.Series(there)).then(pl.Series(values, dtype=pl.Int8))).to_series()


def _silent(table: VerdictTable) -> pl.Series:
    import polars as pl

    from snellen.engine.selective import silent

    return _nullable(silent(table).astype(np.int8), table.scored).cast(pl.Boolean)


def _changes(change: pl.Series) -> dict[str, pl.Series]:
    import polars as pl

    known = [each for each in change.unique().to_list() if each is not None]
    name = {each: "+".join(step.partition(":")[0] for step in each.split("+")) for each in known}
    severity = {each: int(each.split(":")[1]) for each in known if "+" not in each}
    return {
        "change": change,
        "perturbation": change.replace_strict(name, default=None, return_dtype=pl.String),
        "severity": change.replace_strict(severity, default=None, return_dtype=pl.Int64),
    }


def read_export(file: Path | str) -> pl.DataFrame:
    """The columns of `frame` from what ``snellen export RUN -o FILE`` wrote as Parquet or CSV, beside the texts.

    ``id`` becomes ``item``, ``label:NAME`` the label's column, ``flags`` and ``measures`` columns of their own; clean
    item and change are those in the id. ``question``, ``reference``, ``status``, ``response`` and ``reason`` are kept,
    at the end. What an export does not have is not there: ``position``, ``answerable``, ``confidence``; ``truth`` is
    null where it does not say.

    Raises:
        UsageError: another kind of file, or none.
        DataError: it is no export of items.

    Example:
        >>> statistics.rate(read_export("rows.parquet"), by="relation")  # doctest: +SKIP
    """
    need_polars()
    import polars as pl

    path = Path(file)
    form = path.suffix.lower()
    if form not in (".parquet", ".csv") or not path.is_file():
        raise UsageError(f"{path} is no Parquet or CSV file of `snellen export RUN -o FILE`")
    try:
        given = pl.read_parquet(path) if form == ".parquet" else pl.read_csv(path, infer_schema_length=0)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"it cannot be read: {error}", file=str(path)) from error
    needed = ("run", "id", "language", "cluster", "value", "unscored", "flags", "measures")
    if missing := [name for name in needed if name not in given.columns]:
        raise DataError(f"there is no column {missing[0]!r}: it is no export of items", file=str(path))
    return _of_export(given, path)


def _of_export(given: pl.DataFrame, path: Path) -> pl.DataFrame:
    import polars as pl

    ids = given.get_column("id")
    halves = [str(name).partition("@") for name in ids.to_list()]
    change = pl.Series([condition or None for _, _, condition in halves], dtype=pl.String)
    truth, language = f"{_LABEL}{TRUTH}", f"{_LABEL}{LANGUAGE}"
    columns: dict[str, Any] = {
        "run": given.get_column("run"),
        "item": ids,
        "cluster": given.get_column("cluster"),
        "pair": pl.Series([clean for clean, _, _ in halves], dtype=pl.String),
        # A benchmark's own label of that name counts, as in a table of verdicts.
        "language": given.get_column(language if language in given.columns else LANGUAGE),
        **_changes(change),
        "truth": given.get_column(truth) if truth in given.columns else pl.repeat(None, len(given), eager=True),
    }
    try:
        columns["value"] = given.get_column("value").cast(pl.Int8)
    except pl.exceptions.PolarsError as error:
        raise DataError("column 'value' holds something other than 0, 1 and nothing", file=str(path)) from error
    columns["unscored"] = given.get_column("unscored")
    flags = given.get_column("flags").fill_null("").str.split(" ")
    columns |= {flag: flags.list.contains(flag) for flag in FLAGS}
    quiet = columns["abstained"] | (columns["value"] == 0) & (columns["empty"] | columns["unclear"])
    columns["silent"] = pl.select(pl.when(columns["value"].is_not_null()).then(quiet)).to_series()
    for name in given.columns:
        if name.startswith(_LABEL) and name not in (truth, language, f"{_LABEL}{CHANGE}"):
            columns[column_of(name.removeprefix(_LABEL))] = given.get_column(name)
    columns |= _measures(given.get_column("measures"), path)
    texts = [name for name in ("question", "reference", "status", "response", "reason") if name in given.columns]
    found = pl.DataFrame(
        {name: column.cast(pl.String) if name == "truth" else column for name, column in columns.items()}
    )
    labels = [name.removeprefix(_LABEL) for name in given.columns if name.startswith(_LABEL)]
    taken = {name: given.get_column(name) for name in texts}
    return _in_order(found, labels).with_columns(**{name: taken[name] for name in texts if name not in found.columns})


def _measures(texts: pl.Series, path: Path) -> Mapping[str, pl.Series]:
    import polars as pl

    found: dict[str, list[float | None]] = {}
    for row, (name, top, bottom) in _parsed(texts, path):
        for column, number in ((f"{name}{_NUMERATOR}", top), (f"{name}{_DENOMINATOR}", bottom)):
            found.setdefault(column, [None] * len(texts))[row] = number
    return {name: pl.Series(numbers, dtype=pl.Float64) for name, numbers in found.items()}


def _parsed(texts: pl.Series, path: Path) -> Iterator[tuple[int, tuple[str, float, float]]]:
    for row, text in enumerate(texts.to_list()):
        if text:
            try:
                for name, (top, bottom) in orjson.loads(text).items():
                    yield row, (str(name), float(top), float(bottom))
            except (orjson.JSONDecodeError, AttributeError, TypeError, ValueError) as error:
                raise DataError("column 'measures' holds no measures", file=str(path), row=str(row)) from error
