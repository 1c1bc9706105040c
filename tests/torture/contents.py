"""Bodies: those that cost the most to judge, and those that are many, large or never come."""

import threading
import time

import reviews
import wire
from attack import attack, fault
from server import MIB, Server

TRIES = 3
MOST_SECONDS = 0.05
MOST_ANSWER = 256 << 10


class Neighbour(threading.Thread):
    """Asks again and again on a connection of the same loop, and notes how long it waited at most."""

    def __init__(self, port, body):
        super().__init__(daemon=True)
        self.request = wire.request(body)
        self.connection = wire.shake_hands(wire.connect(port, 20))
        self.longest = 0
        self.ended = threading.Event()

    def run(self):
        while not self.ended.is_set():
            began = time.monotonic()
            self.connection.sendall(self.request)
            wire.read_answer(self.connection)
            self.longest = max(self.longest, time.monotonic() - began)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()
        self.connection.close()


def judge(env, port, path, body):
    """Seconds from the last byte of a request to the first of its answer, seconds that another request of the
    loop waited at most meanwhile, the status, and the size of the answer."""
    raw = wire.connect(port, 20)
    with wire.shake_hands(raw) as connection:
        connection.settimeout(40)
        raw_request = wire.request(body, path)
        connection.sendall(raw_request[:-1])
        time.sleep(0.1)
        with Neighbour(port, env.review) as neighbour:
            time.sleep(0.01)
            began = time.monotonic()
            connection.sendall(raw_request[-1:])
            first = connection.recv(1)
            took = time.monotonic() - began
        status, answer = wire.read_answer(connection, first)
        return took, neighbour.longest, status, len(answer)


def judge_each(env, result, contents, paths):
    """A fresh server for each content, so that no peak hides another."""
    slow, large_answers, heavy, dead, unanswered = [], [], [], [], []
    worst, longest, most, peak_of_all = 0, 0, 0, 0
    for name, make in contents.items():
        body = make()
        if len(body) > reviews.LIMIT:
            raise RuntimeError(f"{name}: {len(body)} bytes")
        with Server(env, {"--threads": 1}) as server:
            try:
                for path in paths:
                    tries = [judge(env, server.port, path, body) for _ in range(1 if env.quick else TRIES)]
                    worst = max(worst, min(took for took, _, _, _ in tries))
                    held = min(waited for _, waited, _, _ in tries)
                    longest = max(longest, held)
                    if held > MOST_SECONDS:
                        slow.append(f"{name}: {held * 1000:,.0f} ms")
                    size = max(length for _, _, _, length in tries)
                    most = max(most, size)
                    if size > MOST_ANSWER:
                        large_answers.append(f"{name}: {size / MIB:.1f} MB")
                    if not all(status for _, _, status, _ in tries):
                        unanswered.append(name)
            except OSError as error:
                unanswered.append(f"{name} ({type(error).__name__})")
            time.sleep(0.05)
            if not server.alive():
                dead.append(name)
            peak = server.status("VmHWM")
            peak_of_all = max(peak_of_all, peak)
            if peak > env.slack(128) * MIB:
                heavy.append(f"{name}: {peak / MIB:.0f} MB")
    result.tried = f"{len(contents)} contents on {', '.join(paths)}, {1 if env.quick else TRIES} times"

    def claim(promise, faults, otherwise, timed=False):
        result.claim(promise, "; ".join(dict.fromkeys(faults)) or otherwise, not faults, timed)
    claim("alive", [f"ended by {name}" for name in dead], "alive")
    claim("each is answered", [f"no answer: {name}" for name in unanswered], "all answered")
    claim("another request of the loop waits at most 50 ms", slow,
          f"longest {longest * 1000:.0f} ms; judged beside it in {worst * 1000:.0f} ms at most", timed=True)
    claim("an answer of at most 256 KiB", large_answers, f"largest answer {most:,} B")
    claim("peak at most 128 MB", heavy, f"peak {peak_of_all / MIB:.0f} MB")


@fault("findings-bombs", "requests with hundreds of thousands of findings")
def findings_bombs(env, result):
    judge_each(env, result, reviews.BOMBS, ["/validate"] if env.quick else ["/validate", "/validate/audit", "/mutate"])


@fault("costly-contents", "contents of 7 MiB that cost the most to read, compare or place")
def costly_contents(env, result):
    judge_each(env, result, reviews.CONTENTS, ["/validate"] if env.quick else ["/validate", "/mutate/default-windows"])


def flood_of(contents):
    def flood(target, result):
        made = [wire.request(make()) for make in contents.values()]
        target.begin()
        count = failed = 0
        while target.until_end():
            try:
                with wire.dial_tls(target, count) as connection:
                    connection.sendall(made[(count + target.process) % len(made)])
                    failed += wire.read_answer(connection)[0] == 0
            except OSError:
                failed += 1
                time.sleep(0.05)
            count += 1
        result.tried = f"{count} of one process of four"
        result.notes.append(f"{failed} without an answer")
    return flood


attack("findings-flood", "four clients send requests with too many findings, again and again", seconds=5,
       processes=4, quick=False)(flood_of(reviews.BOMBS))
attack("contents-flood", "four clients send the costly contents, again and again", seconds=6,
       processes=4, quick=False)(flood_of({name: reviews.CONTENTS[name] for name in (
           "zeros in volumes", "many affinity terms", "one key again and again",
           "an update with the selector shifted by one")}))
attack("quadratic-updates", "two updates with 115,000 selector keys, shifted by one", seconds=1, processes=2)(
    flood_of({"update": reviews.update_pair}))


@attack("bodies-at-once", "64 bodies of 7 MiB at once", seconds=2, limit=60)
def bodies_at_once(target, result):
    data = wire.request(reviews.large())
    statuses = []
    together = threading.Barrier(64)

    def send(index):
        try:
            connection = wire.dial_tls(target, index)
            connection.settimeout(20)
            together.wait(20)
            connection.sendall(data[:-1])
            time.sleep(1)
            connection.sendall(data[-1:])
        except (OSError, threading.BrokenBarrierError):
            pass
        try:
            statuses.append(wire.read_answer(connection)[0])
        except (OSError, UnboundLocalError):
            statuses.append(0)
    threads = [threading.Thread(target=send, args=(index,)) for index in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result.tried = "64"
    counts = {status: statuses.count(status) for status in sorted(set(statuses))}
    result.claim("200, 503 or closed", f"attackers' answers {counts}", set(counts) <= {0, 200, 503})


@attack("bodies-that-never-come", "heads with Content-Length: 6710700 and nothing behind, ten at a time", seconds=5)
def bodies_that_never_come(target, result):
    count = 0
    held = []
    while target.until_end():
        while len(held) < 10:
            try:
                connection = wire.dial_tls(target, count)
                connection.sendall(wire.request(length=6_710_700))
                connection.setblocking(False)
                held.append(connection)
                count += 1
            except OSError:
                time.sleep(0.1)
        time.sleep(0.2)
        held = [connection for connection in held if not ended(connection)]
    result.tried = f"{count}"


@attack("chunks-that-never-come", "500 chunked bodies of which only the first chunk comes", seconds=4)
def chunks_that_never_come(target, result):
    head = (b"POST /validate HTTP/1.1\r\nHost: winadmit.test\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n")
    held = []
    for index in range(target.count(500, 100)):
        try:
            held.append(wire.dial_tls(target, index))
            held[-1].sendall(head)
        except OSError:
            pass
    target.begin()
    while target.until_end():
        time.sleep(0.1)
    result.tried = f"{len(held)}"


def ended(connection):
    try:
        return connection.recv(4096) in (b"",)
    except wire.ssl.SSLWantReadError:
        return False
    except OSError:
        return True
