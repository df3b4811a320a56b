"""Server-sent events, read as they come (WHATWG HTML, 9.2.6: interpreting an event stream).

Pieces may end anywhere, within a line end or a character too. One thing is taken more kindly than the standard says: an
event that the stream ends without an empty line after is an event, since servers forget it after the last one. Whoever
reads must therefore know from the data whether they are whole.
"""

from __future__ import annotations

_BOM = b"\xef\xbb\xbf"
_COLON = ord(":")

Event = tuple[bytes, bytes]
"""(name, data): the name is empty where it has none; lines of data are joined by a line feed."""


class EventStream:
    """Takes bytes, gives events.

    >>> stream = EventStream()
    >>> stream.feed(b": still there\\r\\n\\r\\ndata: o")
    []
    >>> stream.feed(b"ne\\r\\n\\r\\ndata: two")
    [(b'', b'one')]
    >>> stream.close()
    [(b'', b'two')]
    """

    def __init__(self) -> None:
        self._line = bytearray()  # what came of a line whose end has not come
        self._name = b""
        self._data: list[bytes] = []
        self._data_bytes = 0
        self._after_return = False  # a line feed that comes next belongs to the line end before it
        self._at_start = True

    @property
    def held(self) -> int:
        """Bytes of the event that is not complete yet."""
        return len(self._line) + self._data_bytes

    def feed(self, piece: bytes) -> list[Event]:
        """The events that this piece completes, in order."""
        if self._after_return and piece:
            self._after_return = False
            piece = piece.removeprefix(b"\n")
        if b"\r" in piece:
            self._after_return = piece.endswith(b"\r")
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" not in piece:
            self._line += piece
            return []
        lines = piece.split(b"\n")
        if self._line:
            lines[0] = bytes(self._line) + lines[0]
        self._line = bytearray(lines.pop())
        return self._take(lines)

    def close(self) -> list[Event]:
        """The stream has ended: the event that is left, if there is one."""
        line, self._line = bytes(self._line), bytearray()
        return self._take([line, b""] if line else [b""])

    def _take(self, lines: list[bytes]) -> list[Event]:
        events: list[Event] = []
        if self._at_start:
            self._at_start = False
            lines[0] = lines[0].removeprefix(_BOM)
        for line in lines:
            if not line:
                if self._data:
                    events.append((self._name, self._data[0] if len(self._data) == 1 else b"\n".join(self._data)))
                    self._data, self._data_bytes = [], 0
                self._name = b""
            elif line[0] != _COLON:
                field, _, value = line.partition(b":")
                if field == b"data":
                    self._data.append(value.removeprefix(b" "))
                    self._data_bytes += len(value) + 64  # an object in memory, however short
                elif field == b"event":
                    self._name = value.removeprefix(b" ")
        return events
