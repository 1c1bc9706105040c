"""Many connections that send little, and clients that do not read, pipeline or reset."""

import random
import select
import socket
import ssl

import wire
from attack import attack
from target import note_opened


def silent(target, result):
    target.hold(result, target.count(10_000, 3000))


attack("silent-10000", "10,000 connections that send nothing", seconds=4)(silent)
attack("silent-one-address", "10,000 silent connections from one address", seconds=3, addresses=1, quick=False)(silent)
attack("silent-same-address", "10,000 silent connections from the good client's own address", seconds=3, addresses=0,
       fresh_may_fail=True, quick=False)(silent)


@attack("silent-4096", "4,096 connections that send nothing", seconds=3, held_rss=11, quick=False)
def silent_4096(target, result):
    target.hold(result, 4096)


def request_once(connection):
    encrypted = wire.start_tls(connection)
    encrypted.settimeout(5)
    encrypted.sendall(wire.get("/nothing"))
    wire.read_response(encrypted)
    return encrypted


def asked_once(target, result):
    target.hold(result, target.count(4096, 1000), request_once, patience=40)


attack("asked-once", "4,096 connections that stay open after one request", seconds=3, held_rss=73, limit=60)(asked_once)
attack("asked-once-same-address", "4,096 open after one request, from the good client's own address", seconds=3,
       addresses=0, fresh_may_fail=True, quick=False)(asked_once)


def ask_with_handshake(connection):
    """Sends most of a request of 60 KB in one piece with the end of the handshake, then the rest."""
    received, to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
    session = wire.CONTEXT.wrap_bio(received, to_send)
    connection.settimeout(5)
    while True:
        try:
            session.do_handshake()
            break
        except ssl.SSLWantReadError:
            connection.sendall(to_send.read())
            received.write(connection.recv(65536))
    request = wire.request(b" " * 60_000)
    session.write(request[:58_000])
    connection.sendall(to_send.read())  # the end of the handshake, too
    session.write(request[58_000:])
    connection.sendall(to_send.read())
    received.write(connection.recv(65536))
    return connection, session


@attack("asked-with-handshake", "4,096 that stay open after a request of 60 KB that came with the handshake", seconds=3,
        held_rss=90, limit=70)
def asked_with_handshake(target, result):
    target.hold(result, target.count(4096, 1000), ask_with_handshake, patience=45)


@attack("half-hello", "4,096 connections with half a ClientHello each", seconds=3)
def half_hello(target, result):
    hello = wire.client_hello()
    target.hold(result, target.count(4096, 1000), lambda connection: connection.sendall(hello[:len(hello) // 2]))


@attack("stuck-handshake", "4,096 handshakes that stop after the ClientHello", seconds=3)
def stuck_handshake(target, result):
    hello = wire.client_hello()
    target.hold(result, target.count(4096, 1000), lambda connection: connection.sendall(hello), patience=20)


@attack("part-of-request", "4,096 requests of 15 KB, 14 KB of each sent", seconds=3, limit=70)
def part_of_request(target, result):
    part = wire.request(b"[" + b" " * 15_000)[:14_000]
    target.hold(result, target.count(4096, 1000), lambda connection: send_tls(connection, part), patience=45)


@attack("slots-kept", "every connection slot held with one 404 per second", seconds=5)
def slots_kept(target, result):
    """One request per 120 s is enough to keep a slot. Here they are more frequent, so that the attack is short."""
    count = target.count(4400, 1000)
    connections, refused = target.open_many(count, request_once, patience=40)
    target.start_clock()
    while target.is_running():
        for encrypted in connections:
            if not target.is_running():
                break
            try:
                encrypted.sendall(wire.get("/nothing"))
                wire.read_response(encrypted)
            except OSError:
                pass
    note_opened(result, count, connections, refused)


@attack("never-read", "500 clients that send requests continuously and never read a response", seconds=5)
def never_read(target, result):
    connections = []
    for index in range(target.count(500, 100)):
        raw = target.dial(index)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        try:
            connections.append(wire.start_tls(raw))
            connections[-1].setblocking(False)
        except OSError:
            pass
    target.start_clock()
    sent = write_without_reading(target, connections, wire.request(target.review))
    result.tried = f"{len(connections)} clients, {sent:,} requests"


def write_without_reading(target, connections, data):
    """Sends `data` repeatedly on non-blocking connections. Returns how often it was sent as a whole."""
    sent = 0
    pending = {connection.fileno(): [connection, data] for connection in connections}
    poll = select.poll()
    for number in pending:
        poll.register(number, select.POLLOUT)
    while target.is_running() and pending:
        for number, _ in poll.poll(200):
            connection, rest = pending[number]
            try:
                rest = rest[connection.send(rest):]
            except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
                continue
            except OSError:
                poll.unregister(number)
                del pending[number]
                continue
            if not rest:
                sent += 1
            pending[number][1] = rest or data
    return sent


class Pipeline:
    """A connection that sends requests without waiting for responses, and counts both."""

    def __init__(self, connection, request, copies):
        self.connection, self.size, self.data = connection, len(request), request * copies
        self.pending = b""
        self.bytes_sent = self.responses = 0
        self.open = True
        connection.setblocking(False)

    def step(self):
        try:
            self.pending = self.pending or self.data
            done = self.connection.send(self.pending)
            self.bytes_sent += done
            self.pending = self.pending[done:]
        except ssl.SSLWantWriteError:
            pass
        except OSError:
            self.open = False
            return
        try:
            while data := self.connection.recv(1 << 16):
                self.responses += data.count(b"HTTP/1.1 ")
        except ssl.SSLWantReadError:
            pass
        except OSError:
            self.open = False


@attack("pipelining", "pipelined requests, reviews or the smallest possible, on 64 connections", seconds=5)
def pipelining(target, result):
    kinds = [(wire.request(target.review), 4), (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", 600)]
    pipelines = [Pipeline(target.dial_tls(index), *kinds[index % 2]) for index in range(64)]
    target.start_clock()
    while target.is_running() and any(each.open for each in pipelines):
        for each in pipelines:
            if each.open:
                each.step()
    requests = int(sum(each.bytes_sent / each.size for each in pipelines))
    responses = sum(each.responses for each in pipelines)
    result.tried = f"{requests:,} requests"
    result.claim("no more answers than requests", f"{responses:,} answers to {requests:,} requests",
                 responses <= requests + len(pipelines))


@attack("resets", "resets in every phase of a connection", seconds=5, processes=2)
def resets(target, result):
    random.seed(7)
    hello, review = wire.client_hello(), wire.request(target.review)
    phases = [
        lambda raw: None,
        lambda raw: raw.sendall(hello[:100]),
        lambda raw: raw.sendall(hello),
        wire.start_tls,
        lambda raw: send_tls(raw, review[:60]),
        lambda raw: send_tls(raw, review[:2000]),
        lambda raw: send_tls(raw, review),
        lambda raw: send_and_read(raw, review),
    ]
    count = 0
    while target.is_running():
        raw = target.dial(count)
        try:
            wire.reset(phases[count % len(phases)](raw) or raw)
        except OSError:
            raw.close()
        count += 1
    result.tried = f"{count:,} resets by each of two processes"


def send_tls(raw, data):
    encrypted = wire.start_tls(raw)
    encrypted.sendall(data)
    return encrypted


def send_and_read(raw, data):
    encrypted = send_tls(raw, data)
    wire.read_response(encrypted)
    return encrypted
