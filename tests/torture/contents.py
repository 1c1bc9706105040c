"""Request bodies that cost the most to judge, or that are many, large or incomplete."""

import threading
import time
from dataclasses import dataclass

import reviews
import wire
from attack import attack
from processes import MIB
from scenario import fault
from server import Server
from target import GOOD_ADDRESS

TRIES = 3
MAX_WAIT = 0.05  # seconds that another request of the same event loop may wait
MAX_RESPONSE = 256 << 10


class ConcurrentClient(threading.Thread):
    """Sends one review after the other to the same event loop, and records the longest response time."""

    def __init__(self, port, body):
        super().__init__(daemon=True)
        self.request = wire.request(body)
        self.connection = wire.start_tls(wire.connect(port, 20))
        self.longest = 0
        self.stopped = threading.Event()

    def run(self):
        while not self.stopped.is_set():
            start = time.monotonic()
            self.connection.sendall(self.request)
            wire.read_response(self.connection)
            self.longest = max(self.longest, time.monotonic() - start)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.join()
        self.connection.close()


@dataclass
class Measurement:
    took: float  # seconds from the last byte of the request to the first of the response
    waited: float  # the longest response time of a concurrent client, in seconds
    status: int
    size: int  # of the response body


def measure(env, port, path, body):
    with wire.start_tls(wire.connect(port, 20)) as connection:
        connection.settimeout(40)
        request = wire.request(body, path)
        connection.sendall(request[:-1])
        time.sleep(0.1)
        with ConcurrentClient(port, env.review) as client:
            time.sleep(0.01)
            start = time.monotonic()
            connection.sendall(request[-1:])
            first = connection.recv(1)
            took = time.monotonic() - start
        status, response = wire.read_response(connection, first)
        return Measurement(took, client.longest, status, len(response))


class Survey:
    """Collects what exceeds a limit, and the largest values."""

    def __init__(self):
        self.slow, self.large, self.heavy, self.dead, self.unanswered = [], [], [], [], []
        self.took = self.waited = self.size = self.peak = 0

    def add(self, name, tries):
        self.took = max(self.took, min(each.took for each in tries))
        waited = min(each.waited for each in tries)
        self.waited = max(self.waited, waited)
        if waited > MAX_WAIT:
            self.slow.append(f"{name}: {waited * 1000:,.0f} ms")
        size = max(each.size for each in tries)
        self.size = max(self.size, size)
        if size > MAX_RESPONSE:
            self.large.append(f"{name}: {size / MIB:.1f} MB")
        if not all(each.status for each in tries):
            self.unanswered.append(name)

    def add_server(self, env, name, server):
        if not server.is_alive():
            self.dead.append(name)
        peak = server.memory("VmHWM")
        self.peak = max(self.peak, peak)
        if peak > env.slack(128) * MIB:
            self.heavy.append(f"{name}: {peak / MIB:.0f} MB")

    def claim(self, result):
        def claim(promise, failures, otherwise, timed=False):
            result.claim(promise, "; ".join(dict.fromkeys(failures)) or otherwise, not failures, timed)
        claim("alive", [f"ended by {name}" for name in self.dead], "alive")
        claim("each is answered", [f"no answer: {name}" for name in self.unanswered], "all answered")
        claim("another request of the loop waits at most 50 ms", self.slow,
              f"longest {self.waited * 1000:.0f} ms; judged beside it in {self.took * 1000:.0f} ms at most", timed=True)
        claim("an answer of at most 256 KiB", self.large, f"largest answer {self.size:,} B")
        claim("peak at most 128 MB", self.heavy, f"peak {self.peak / MIB:.0f} MB")


def judge_each(env, result, contents, paths):
    """Uses a new server for each content, because the kernel reports only the highest peak of a process."""
    survey, tries = Survey(), 1 if env.quick else TRIES
    for name, make in contents.items():
        body = make()
        if len(body) > reviews.LIMIT:
            raise RuntimeError(f"{name}: {len(body)} bytes")
        with Server(env, {"--threads": 1}) as server:
            try:
                for path in paths:
                    survey.add(name, [measure(env, server.port, path, body) for _ in range(tries)])
            except OSError as error:
                survey.unanswered.append(f"{name} ({type(error).__name__})")
            time.sleep(0.05)
            survey.add_server(env, name, server)
    result.tried = f"{len(contents)} contents on {', '.join(paths)}, {tries} times"
    survey.claim(result)


@fault("findings-bombs", "requests with hundreds of thousands of findings")
def findings_bombs(env, result):
    judge_each(env, result, reviews.MANY_FINDINGS,
               ["/validate"] if env.quick else ["/validate", "/validate/audit", "/mutate"])


@fault("costly-contents", "contents of 7 MiB that cost the most to read, compare or place")
def costly_contents(env, result):
    judge_each(env, result, reviews.CONTENTS, ["/validate"] if env.quick else ["/validate", "/mutate/default-windows"])


def flood_of(contents):
    def flood(target, result):
        requests = [wire.request(make()) for make in contents.values()]
        target.start_clock()
        count = failed = 0
        while target.is_running():
            try:
                with target.dial_tls(count) as connection:
                    connection.sendall(requests[(count + target.process) % len(requests)])
                    failed += wire.read_response(connection)[0] == 0
            except OSError:
                failed += 1
                time.sleep(0.05)
            count += 1
        result.tried = f"{count} by the first process"
        result.notes.append(f"{failed} without an answer")
    return flood


attack("findings-flood", "four clients send requests with too many findings repeatedly", seconds=5,
       processes=4, quick=False)(flood_of(reviews.MANY_FINDINGS))
attack("contents-flood", "four clients send the costly contents repeatedly", seconds=6,
       processes=4, quick=False)(flood_of({name: reviews.CONTENTS[name] for name in (
           "zeros in volumes", "many affinity terms", "one duplicate key",
           "an update with the selector shifted by one")}))
attack("quadratic-updates", "two updates with 115,000 selector keys, shifted by one", seconds=1, processes=2)(
    flood_of({"update": reviews.update_with_shifted_selector}))


def send_large(dial, count, pause):
    """Sends large reviews at the same time, the last byte after a pause. Returns {status: count}; 0 is no response."""
    data = wire.request(reviews.large())
    statuses = []
    barrier = threading.Barrier(count)

    def send(index):
        status = 0
        try:
            connection = dial(index)
            connection.settimeout(20)
            barrier.wait(20)
            try:
                connection.sendall(data[:-1])
                time.sleep(pause)
                connection.sendall(data[-1:])
            except OSError:
                pass  # a server that refuses the body may close before it has read all of it
            status = wire.read_response(connection)[0]
        except (OSError, threading.BrokenBarrierError):
            pass
        statuses.append(status)
    threads = [threading.Thread(target=send, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {status: statuses.count(status) for status in sorted(set(statuses))}


@attack("bodies-at-once", "64 bodies of 7 MiB at once", seconds=2, limit=60)
def bodies_at_once(target, result):
    statuses = send_large(target.dial_tls, 64, 1)
    result.tried = "64"
    result.claim("200, 503 or closed", f"attackers' answers {statuses}", set(statuses) <= {0, 200, 503})


def renew_bodies(target, size, stop):
    """Sends all but the end of a large body, waits, and begins again."""
    data = wire.request(b"x" * size)[:-10]
    while not stop.is_set():
        try:
            with target.dial_tls() as connection:
                connection.sendall(data)
                time.sleep(0.4)
        except OSError:
            time.sleep(0.05)


def large_statuses(target, data):
    """Sends large reviews from the address of the good client, one after the other, until the attack ends."""
    statuses = []
    while target.is_running():
        try:
            with wire.start_tls(wire.connect(target.port, 20, GOOD_ADDRESS)) as connection:
                connection.sendall(data)
                statuses.append(wire.read_response(connection)[0])
        except OSError:
            statuses.append(0)
    return {status: statuses.count(status) for status in sorted(set(statuses))}


@attack("bodies-renewed", "bodies of 1 and of 7 MiB from one address, all but 10 bytes, every 0.4 s", seconds=6, limit=60, addresses=1, quick=False)
def bodies_renewed(target, result):
    data = wire.request(reviews.large())
    stop = threading.Event()
    sizes = [1_000_000, 1_000_000, 7_000_000] * 2
    threads = [threading.Thread(target=renew_bodies, args=(target, size, stop)) for size in sizes]
    for thread in threads:
        thread.start()
    target.start_clock()
    statuses = large_statuses(target, data)
    stop.set()
    for thread in threads:
        thread.join()
    result.tried = f"{len(sizes)} connections"
    result.claim("every review of 7 MiB from another address is answered", f"large reviews {statuses}", set(statuses) == {200})


@attack("bodies-that-never-come", "heads with Content-Length: 6710700 and no body, ten at a time", seconds=5)
def bodies_that_never_come(target, result):
    count = 0
    connections = []
    while target.is_running():
        while len(connections) < 10:
            try:
                connection = target.dial_tls(count)
                connection.sendall(wire.request(length=6_710_700))
                connections.append(connection)
                count += 1
            except OSError:
                time.sleep(0.1)
        time.sleep(0.2)
        connections = [connection for connection in connections if wire.count_open([connection])]
    result.tried = f"{count}"


@attack("chunks-that-never-come", "500 chunked bodies, only the first chunk of each sent", seconds=4)
def chunks_that_never_come(target, result):
    head = (b"POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")

    def start_body(connection):
        encrypted = wire.start_tls(connection)
        encrypted.sendall(head)
        return encrypted

    target.hold(result, target.count(500, 100), start_body)
