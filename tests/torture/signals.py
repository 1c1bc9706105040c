"""Signals and restarts: SIGTERM, SIGKILL, SIGSTOP."""

import signal
import threading
import time

import wire
from attack import claim_answers, claim_descriptors
from clients import GoodClient
from scenario import fault
from server import Server


def send_first_halves(env, server, count):
    """Connections on which the first half of a review is sent."""
    request = wire.request(env.review)
    connections = []
    for _ in range(count):
        connections.append(wire.start_tls(wire.connect(server.port, 10)))
        connections[-1].sendall(request[:len(request) // 2])
    time.sleep(0.05)
    return connections


def send_second_halves(env, connections):
    """The number of these requests that are answered."""
    request = wire.request(env.review)
    answered = 0
    for connection in connections:
        try:
            connection.sendall(request[len(request) // 2:])
            answered += wire.read_response(connection)[0] == 200
            connection.close()
        except OSError:
            pass
    return answered


def lost_requests(counts):
    """{reason: count} of requests that were sent and not answered. Without a connection a request was never sent."""
    lost = {why: count for why, count in counts["failures"].items() if not why.startswith("connect: ")}
    if counts["wrong"] or counts["busy"]:
        lost["wrong or busy"] = counts["wrong"] + counts["busy"]
    return lost


@fault("sigterm", "SIGTERM while requests are in flight")
def sigterm(env, result):
    rounds = env.count(5, 1)
    codes, longest, answered, sent, lost = [], 0, 0, 0, {}
    for _ in range(rounds):
        with Server(env) as server, GoodClient(env, server, rate=400) as good:
            good.phase("before", env.seconds(1))
            good.phase("during")
            half_sent = send_first_halves(env, server, 20)
            exits = []
            stopping = threading.Thread(target=lambda: exits.append(server.stop()))
            stopping.start()
            time.sleep(0.2)
            answered += send_second_halves(env, half_sent)
            sent += len(half_sent)
            stopping.join()
            time.sleep(0.2)
            counts = good.finish()
        code, took = exits[0]
        codes.append(code)
        longest = max(longest, took)
        for why, count in lost_requests(counts["during"]).items():
            lost[why] = lost.get(why, 0) + count
    result.tried = f"{rounds}"
    result.claim("exit 0", f"exit {codes}", set(codes) == {0})
    result.claim("each request in flight is answered", f"{answered} of {sent} half-sent answered; "
                 f"good client lost {lost or 'none'}", answered == sent and not lost)
    result.claim("within 25 s", f"longest {longest:.1f} s", longest < 25)


@fault("sigkill", "SIGKILL, and a start on the same port")
def sigkill(env, result):
    rounds = env.count(5, 2)
    longest = 0
    with Server(env) as server, GoodClient(env, server, rate=400) as good:
        good.phase("before", 1)
        good.phase("gap")
        for _ in range(rounds):
            server.stop(signal.SIGKILL)
            server.cgroup.remove()
            start = time.monotonic()
            server.start()
            longest = max(longest, time.monotonic() - start)
            time.sleep(0.3)
        good.phase("during", env.seconds(2))
        good.phase("after")
        counts = good.finish()
    result.tried = f"{rounds}"
    result.claim("listens again within 1 s", f"again after {longest * 1000:.0f} ms", longest < 1, timed=True)
    result.claim("nothing wrong in between", f"{counts['gap']['wrong']} wrong, {counts['gap']['failed']} failed in between",
                 not counts["gap"]["wrong"])
    claim_answers(result, counts)


@fault("sigstop", "SIGSTOP for 5 s, then SIGCONT")
def sigstop(env, result):
    pause = 2 if env.quick else 5
    with Server(env) as server, GoodClient(env, server, rate=100) as good:
        good.phase("before", 1)
        before = server.open_descriptors()
        good.phase("stopped")
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(pause)
        server.process.send_signal(signal.SIGCONT)
        time.sleep(1)
        good.phase("during", env.seconds(3))
        good.phase("after")
        counts = good.finish()
        stopped = counts["stopped"]
        result.tried = f"once, {pause} s"
        result.claim("each request is answered, late", f"{stopped['right']} of {stopped['asked']} right, longest "
                     f"{stopped['max_ms'] / 1000:.1f} s", stopped["right"] == stopped["asked"])
        claim_answers(result, counts)
        claim_descriptors(result, before, server.open_descriptors())


@fault("restart-storm", "starts, each ended by SIGTERM after 0 to 160 ms")
def restart_storm(env, result):
    rounds = env.count(40, 10)
    codes, longest = {}, 0
    for index in range(rounds):
        with Server(env, {"--drain-delay": 0}, wait=False) as server:
            time.sleep(index * 0.004)
            code, took = server.stop()
            codes[code] = codes.get(code, 0) + 1
            longest = max(longest, took)
    result.tried = f"{rounds}, 0 to {rounds * 4} ms after the start"
    # Before main installs its handler, the signal ends the process.
    result.claim("exit 0, or ended by the signal", f"exit codes {codes}, longest {longest:.1f} s",
                 set(codes) <= {0, -signal.SIGTERM} and longest < 5)
