"""What is kept of a command's output: the head as it comes, the tail at the end."""

from collections import deque


class KeptOutput:
    """Sorts output into a head, given out at once, and a tail, held until the end."""

    def __init__(self, limit: int) -> None:
        self._head_left = limit // 2
        self._tail_limit = limit - limit // 2
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.omitted = 0

    def take(self, data: bytes) -> bytes:
        """Take output; return the part of it that belongs to the head."""
        head = data[: self._head_left]
        self._head_left -= len(head)
        self._keep(data[len(head) :])
        return head

    def tail(self) -> bytes:
        """Return the last bytes that did not fit into the head."""
        whole = b"".join(self._tail)
        surplus = max(0, len(whole) - self._tail_limit)
        self.omitted += surplus
        return whole[surplus:]

    def _keep(self, rest: bytes) -> None:
        if not rest:
            return
        self._tail.append(rest)
        self._tail_size += len(rest)
        while self._tail_size - len(self._tail[0]) >= self._tail_limit:
            dropped = self._tail.popleft()
            self._tail_size -= len(dropped)
            self.omitted += len(dropped)
