"""Many connections that do little, and those that do not behave."""

import random
import select
import socket
import ssl
import time

import wire
from attack import attack


def hold(target, connections):
    """Keeps connections until the attack ends, and opens none."""
    while target.until_end():
        time.sleep(0.2)
    return connections


def open_many(target, count, prepare, patience=15):
    """As many connections as the server takes; `prepare` is done to each."""
    held, refused = [], 0
    end = time.monotonic() + patience
    for index in range(count):
        if time.monotonic() > end:
            break
        try:
            connection = wire.dial(target, index, timeout=2)
            held.append(prepare(connection) or connection)
        except OSError:
            refused += 1
    return held, refused


def told(result, count, held, refused):
    tried = len(held) + refused
    result.tried = f"{tried:,}" + (f" (of {count:,}; then the time was over)" if tried < count else "")
    result.notes.append(f"{len(held):,} held, {refused:,} refused")


def silent(target, result):
    count = target.count(10_000, 3000)
    held, refused = open_many(target, count, lambda connection: None)
    target.begin()
    hold(target, held)
    told(result, count, held, refused)


attack("silent-10000", "10,000 connections that never speak", seconds=4)(silent)
attack("silent-one-address", "10,000 silent connections from one address", seconds=3, addresses=1, quick=False)(silent)
attack("silent-same-address", "10,000 silent connections from the good client's own address", seconds=3, addresses=0,
       tell_kept=True, quick=False)(silent)


@attack("silent-4096", "4,096 connections that never speak", seconds=3, held_rss=11, quick=False)
def silent_4096(target, result):
    held, refused = open_many(target, 4096, lambda connection: None)
    target.begin()
    hold(target, held)
    told(result, 4096, held, refused)


def ask_once(connection):
    encrypted = wire.shake_hands(connection)
    encrypted.settimeout(5)
    encrypted.sendall(b"GET /nothing HTTP/1.1\r\nHost: winadmit.test\r\n\r\n")
    wire.read_answer(encrypted)
    return encrypted


def asked_once(target, result):
    count = target.count(4096, 1000)
    held, refused = open_many(target, count, ask_once, patience=40)
    target.begin()
    hold(target, held)
    told(result, count, held, refused)


attack("asked-once", "4,096 connections that asked once and stay", seconds=3, held_rss=72, limit=60)(asked_once)
attack("asked-once-same-address", "4,096 that asked once, from the good client's own address", seconds=3, addresses=0,
       tell_kept=True, quick=False)(asked_once)


@attack("half-hello", "4,096 connections with half a ClientHello each", seconds=3)
def half_hello(target, result):
    hello = wire.client_hello()
    count = target.count(4096, 1000)
    held, refused = open_many(target, count, lambda connection: connection.sendall(hello[:len(hello) // 2]))
    target.begin()
    hold(target, held)
    told(result, count, held, refused)


@attack("stuck-handshake", "4,096 handshakes that end after the ClientHello", seconds=3)
def stuck_handshake(target, result):
    hello = wire.client_hello()
    count = target.count(4096, 1000)
    held, refused = open_many(target, count, lambda connection: connection.sendall(hello), patience=20)
    target.begin()
    hold(target, held)
    told(result, count, held, refused)


@attack("part-of-request", "4,096 requests of 15 KB, 14 KB of each sent", seconds=3, limit=70)
def part_of_request(target, result):
    part = wire.request(b"[" + b" " * 15_000)[:14_000]

    def prepare(connection):
        encrypted = wire.shake_hands(connection)
        encrypted.sendall(part)
        return encrypted

    count = target.count(4096, 1000)
    held, refused = open_many(target, count, prepare, patience=45)
    target.begin()
    hold(target, held)
    told(result, count, held, refused)


@attack("slots-kept", "every slot held with a 404 each second", seconds=5)
def slots_kept(target, result):
    """The 404 that keeps a slot may come every 120 s; here it comes more often, so that the attack is short."""
    count = target.count(4400, 1000)
    held, refused = open_many(target, count, ask_once, patience=40)
    target.begin()
    answers = 0
    while target.until_end():
        for encrypted in held:
            if not target.until_end():
                break
            try:
                encrypted.sendall(b"GET /nothing HTTP/1.1\r\nHost: winadmit.test\r\n\r\n")
                answers += wire.read_answer(encrypted)[0] == 404
            except OSError:
                pass
    told(result, count, held, refused)


@attack("never-read", "500 clients that ask without end and never read an answer", seconds=5)
def never_read(target, result):
    review = wire.request(target.review)
    connections = []
    for index in range(target.count(500, 100)):
        raw = wire.dial(target, index)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        try:
            connections.append(wire.shake_hands(raw))
            connections[-1].setblocking(False)
        except OSError:
            pass
    target.begin()
    sent = write_without_reading(target, connections, review)
    result.tried = f"{len(connections)} clients, {sent:,} requests"


@attack("pipelining", "requests without end, reviews or the smallest, sent before answers are read, on 64 connections", seconds=5)
def pipelining(target, result):
    connections = [wire.dial_tls(target, index) for index in range(64)]
    for connection in connections:
        connection.setblocking(False)
    target.begin()
    kinds = [[wire.request(target.review)] * 4, [b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"] * 600]
    many = [b"".join(kind) for kind in kinds]
    answers = sent = 0
    pending = [b""] * len(connections)
    while target.until_end() and any(connections):
        for index, connection in enumerate(connections):
            if not connection:
                continue
            try:
                pending[index] = pending[index] or many[index % 2]
                done = connection.send(pending[index])
                sent += done / len(kinds[index % 2][0])
                pending[index] = pending[index][done:]
            except ssl.SSLWantWriteError:
                pass
            except OSError:
                connections[index] = None
                continue
            try:
                while data := connection.recv(1 << 16):
                    answers += data.count(b"HTTP/1.1 ")
            except ssl.SSLWantReadError:
                pass
            except OSError:
                connections[index] = None
    complete = int(sent)
    result.tried = f"{complete:,} requests"
    result.claim("no more answers than requests", f"{answers:,} answers to {complete:,} requests",
                 answers <= complete + len(connections))


def write_without_reading(target, connections, data):
    sent = 0
    waiting = {connection.fileno(): [connection, data] for connection in connections}
    poll = select.poll()
    for number in waiting:
        poll.register(number, select.POLLOUT)
    while target.until_end() and waiting:
        for number, _ in poll.poll(200):
            connection, rest = waiting[number]
            try:
                rest = rest[connection.send(rest):]
            except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
                continue
            except OSError:
                poll.unregister(number)
                del waiting[number]
                continue
            if not rest:
                sent += 1
            waiting[number][1] = rest or data
    return sent


@attack("resets", "resets in every phase of a connection", seconds=5, processes=2)
def resets(target, result):
    random.seed(7)
    hello, review = wire.client_hello(), wire.request(target.review)
    phases = [
        lambda raw: None,
        lambda raw: raw.sendall(hello[:100]),
        lambda raw: raw.sendall(hello),
        lambda raw: wire.shake_hands(raw),
        lambda raw: sent(raw, review[:60]),
        lambda raw: sent(raw, review[:2000]),
        lambda raw: sent(raw, review),
        lambda raw: answered(raw, review),
    ]
    count = 0
    while target.until_end():
        raw = wire.dial(target, count)
        try:
            wire.reset(phases[count % len(phases)](raw) or raw)
        except OSError:
            raw.close()
        count += 1
    result.tried = f"{count:,} resets and as many by the other process"


def sent(raw, data):
    encrypted = wire.shake_hands(raw)
    encrypted.sendall(data)
    return encrypted


def answered(raw, data):
    encrypted = sent(raw, data)
    wire.read_answer(encrypted)
    return encrypted
