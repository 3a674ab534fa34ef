"""Messages between the grader and a sandboxed child: length, JSON, then raw blobs.

One frame is ``u32 length of JSON | JSON | blob | blob …`` (big-endian).  The JSON object lists
the blob sizes under ``"blobs"``.  Nothing is ever unpickled, and the grader's side
(`FrameReader`) checks every size against a cap before it keeps a byte, because the child is
run by whoever handed the notebook in.
"""

from __future__ import annotations

import json
import socket
import struct

MAX_JSON = 1 << 20
MAX_BLOBS = 512
MAX_BYTES = 64 << 20


class BadFrame(Exception):
    """What came is no frame: too long, not JSON, wrong sizes."""


def pack(message: dict, blobs: list[bytes] = ()) -> bytes:
    text = json.dumps({**message, "blobs": [len(blob) for blob in blobs]}).encode()
    return b"".join((struct.pack(">I", len(text)), text, *blobs))


def send(channel: socket.socket, message: dict, blobs: list[bytes] = ()) -> None:
    channel.sendall(pack(message, blobs))


class FrameReader:
    """Turns bytes as they arrive into frames.  ``feed`` raises `BadFrame` and never blocks."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._message: dict | None = None
        self._sizes: list[int] = []

    def feed(self, data: bytes) -> tuple[dict, list[bytes]] | None:
        """Add ``data``; return ``(message, blobs)`` once a frame is complete, else None."""
        self._buffer += data
        if self._message is None and not self._read_json():
            return None
        total = sum(self._sizes)
        if len(self._buffer) < total:
            return None
        blobs, start = [], 0
        for size in self._sizes:
            blobs.append(bytes(self._buffer[start : start + size]))
            start += size
        del self._buffer[:total]
        message, self._message = self._message, None
        return message, blobs

    def _read_json(self) -> bool:
        if len(self._buffer) < 4:
            return False
        (length,) = struct.unpack(">I", self._buffer[:4])
        if length > MAX_JSON:
            raise BadFrame(f"JSON of {length} bytes")
        if len(self._buffer) < 4 + length:
            return False
        try:
            message = json.loads(bytes(self._buffer[4 : 4 + length]))
        except (ValueError, RecursionError) as error:
            raise BadFrame(type(error).__name__) from None
        sizes = message.get("blobs") if isinstance(message, dict) else None
        if not isinstance(sizes, list) or len(sizes) > MAX_BLOBS:
            raise BadFrame("no list of blob sizes")
        # bool is an int in Python, and a child may well send true
        if any(type(size) is not int or size < 0 for size in sizes) or sum(sizes) > MAX_BYTES:
            raise BadFrame("blob sizes")
        del self._buffer[: 4 + length]
        self._message, self._sizes = message, sizes
        return True


def receive(channel: socket.socket) -> tuple[dict, list[bytes]] | None:
    """Blocking read of one frame (the child's side); None at the end of the stream."""
    reader = FrameReader()
    # exactly one frame is under way at a time, so reading on can't take bytes of the next
    while data := channel.recv(1 << 16):
        if frame := reader.feed(data):
            return frame
    return None
