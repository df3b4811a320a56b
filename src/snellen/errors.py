"""What can go wrong, named by the boundary where it happens.

    SnellenError
    ├── UsageError                 what was asked for does not exist or does not fit together
    ├── DataError                  a benchmark's file, row or field is not as declared
    │   └── ImageError             an image that cannot be read, whatever its file name says
    ├── LedgerError                the workspace's database cannot be used
    ├── ModelError                 a served model gave no answer (network, status, malformed reply)
    ├── UnreadableReplyError       a judge's reply holds no verdict in the agreed form
    └── StoppedError               a cap on cost or on failures was reached

Every error says what, where and what to do.
"""

from __future__ import annotations


class SnellenError(Exception):
    """The root of everything Snellen raises on purpose; its text is fit to show to a person."""


class UsageError(SnellenError):
    """A name, option or combination that does not exist."""


class DataError(SnellenError):
    """Something in a benchmark's files is not as declared.

    Args:
        what: what is wrong, and what to do, one or two sentences.
        file: the file it stands in.
        row: the row, line or key in that file.
        id: the item it belongs to, if one is known.
    """

    def __init__(self, what: str, *, file: str = "", row: str = "", id: str = "") -> None:  # noqa: A002
        where = ", ".join(f"{name} {value}" for name, value in (("file", file), ("row", row), ("item", id)) if value)
        super().__init__(f"{what} ({where})" if where else what)
        self.what, self.file, self.row, self.id = what, file, row, id


class ImageError(DataError):
    """An image that cannot be sent; `kind` is one word for counting.

    Args:
        kind: ``missing``, ``empty``, ``not_an_image``, ``truncated``, ``too_large``, ``unsupported`` or ``broken``.
    """

    def __init__(self, kind: str, what: str, *, file: str = "", row: str = "", id: str = "") -> None:  # noqa: A002
        super().__init__(what, file=file, row=row, id=id)
        self.kind = kind


class LedgerError(SnellenError):
    """The workspace's database cannot be opened, read or written."""


class ModelError(SnellenError):
    """A model gave no answer.

    Args:
        kind: one word for counting: ``timeout``, ``connection``, ``rate_limit``, ``server``, ``bad_request``,
            ``authentication``, ``not_found``, ``malformed``, ``image``, ``embedded``.
        message: what the server or the library said, shortened.
        retry: whether asking the same again can help.
        retry_after: seconds the server asked to wait, if it did.
        status: HTTP status, 0 where there is none.
    """

    def __init__(
        self, kind: str, message: str, *, retry: bool = False, retry_after: float | None = None, status: int = 0
    ) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.retry, self.retry_after, self.status = kind, message, retry, retry_after, status


class UnreadableReplyError(SnellenError):
    """A judge's reply that holds no verdict in the agreed form: it is asked again, then the item stays unscored."""


class StoppedError(SnellenError):
    """A cap that the user set was reached; what was finished is kept."""
