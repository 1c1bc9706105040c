"""The server under attack, as an attacking process sees it."""

import time
from dataclasses import dataclass

import wire

GOOD_ADDRESS = "127.0.0.99"


@dataclass
class Target:
    port: int
    admin_port: int
    pid: int
    seconds: float
    quick: bool
    addresses: int  # number of source addresses; 0: the address of the good client
    review: bytes  # one that is refused
    process: int = 0  # index of the attacking process
    end: float = 0

    def address(self, index=0):
        if not self.addresses:
            return GOOD_ADDRESS
        return f"127.0.1.{(index + self.process) % self.addresses + 1}"

    def start_clock(self):
        """The attack lasts `seconds` from now on."""
        self.end = time.monotonic() + self.seconds

    def is_running(self):
        """False when the attack is to end."""
        return time.monotonic() < self.end

    def count(self, full, quick):
        return quick if self.quick else full

    def dial(self, index=0, timeout=10, port=None):
        """A TCP connection from the source address of this index."""
        return wire.connect(port or self.port, timeout, self.address(index))

    def dial_tls(self, index=0, timeout=10):
        return wire.start_tls(self.dial(index, timeout))

    def open_many(self, count, prepare=None, port=None, patience=15):
        """Opens up to `count` connections within `patience` seconds. Returns them, and the number of failures.

        `prepare(connection)` is called for each. If it returns a connection (TLS), that one is kept instead.
        """
        connections, refused = [], 0
        limit = time.monotonic() + patience
        for index in range(count):
            if time.monotonic() > limit:
                break
            try:
                connection = self.dial(index, 2, port)
                connections.append(prepare and prepare(connection) or connection)
            except OSError:
                refused += 1
        return connections, refused

    def hold(self, result, count, prepare=None, port=None, patience=15):
        """Opens connections and keeps them until the attack ends."""
        connections, refused = self.open_many(count, prepare, port, patience)
        self.start_clock()
        while self.is_running():
            time.sleep(0.1)
        note_opened(result, count, connections, refused)


def note_opened(result, count, connections, refused):
    tried = len(connections) + refused
    result.tried = f"{tried:,}" + (f" (of {count:,}; then the time was over)" if tried < count else "")
    result.notes.append(f"{len(connections):,} held, {refused:,} refused")
