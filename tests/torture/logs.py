"""The log: a reader that is slow or missing, and what clients can write into it."""

import os
import re
import threading

import reviews
import wire
from attack import MAX_LOG_LINE, attack, run_attack
from processes import wait_for
from scenario import fault
from server import Server
from winadmit import read_metrics


def send_reviews(target, result):
    request = wire.request(target.review)
    count = 0
    connection = None
    while target.is_running():
        try:
            connection = connection or target.dial_tls(count, timeout=3)
            connection.sendall(request)
            count += wire.read_response(connection)[0] == 200
        except OSError:
            connection = None
    result.tried = f"{count:,} requests"


def lost_lines(admin_port):
    """The number of log lines that could not be written."""
    try:
        found = re.search(r"^winadmit_log_lines_lost_total (\S+)$", read_metrics(admin_port), re.M)
        return float(found[1]) if found else 0
    except OSError:
        return 0


def run_with_stdout(env, result, descriptor):
    def claim_counted(server):
        lost = lost_lines(server.admin_port)
        result.claim("what cannot be written is counted", f"{lost:.0f} lines counted as lost", lost > 0)
    run_attack(env, result, send_reviews, seconds=5, stdout=descriptor, at_end=claim_counted)


@fault("stdout-unread", "stdout is a pipe that nobody reads")
def stdout_unread(env, result):
    reader, writer = os.pipe()
    try:
        run_with_stdout(env, result, writer)
    finally:
        os.close(reader)
        os.close(writer)


@fault("stdout-closed", "the reader of stdout has closed it")
def stdout_closed(env, result):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        run_with_stdout(env, result, writer)
    finally:
        os.close(writer)


@fault("stdout-full", "stdout is a full disk (/dev/full)")
def stdout_full(env, result):
    with open("/dev/full", "w") as full:
        run_with_stdout(env, result, full.fileno())


@fault("stdout-slow", "stdout is read at 4 KB a second", quick=False)
def stdout_slow(env, result):
    reader, writer = os.pipe()
    stopped = threading.Event()

    def read():
        while not stopped.wait(1):
            os.read(reader, 4096)
    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    try:
        run_with_stdout(env, result, writer)
    finally:
        stopped.set()
        os.close(writer)
        thread.join()
        os.close(reader)


NAMES = {
    "100 KB": "n" * 100_000,
    "C1 control U+009B": "a\u009b31mb", "right-to-left override": "a\u202eb", "line separator": "a\u2028b",
    "DEL": "a\x7fb", "escape": "a\x1b[31mb", "line feed": 'a\n{"level":"error"}', "NUL": "a\x00b",
}
CONTROL_CHARACTERS = re.compile(rb"\x7f|\x1b|\x00|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]")


@fault("names-in-log", "names of 100 KB, and names with control characters")
def names_in_log(env, result):
    result.tried = f"{len(NAMES)} names in json and in text"
    for form in ("json", "text"):
        with Server(env, {"--log-format": form}) as server:
            for name in NAMES.values():
                with wire.start_tls(wire.connect(server.port, 5)) as connection:
                    connection.sendall(wire.request(reviews.named(name)))
                    wire.read_response(connection)
            wait_for(lambda: len(review_lines(server)) >= len(NAMES), 2)
            raw = sorted(set(CONTROL_CHARACTERS.findall(server.log.read_bytes())))
            lines = len(review_lines(server))
            result.claim(f"{form}: escaped", f"{form}: raw {raw}" if raw else f"{form}: no raw control character", not raw)
            result.claim(f"{form}: one line a review", f"{lines} lines", lines == len(NAMES))
            longest = server.longest_line()
            result.claim(f"{form}: no line over 16 KiB", f"longest {longest:,} B", longest <= MAX_LOG_LINE)


def review_lines(server):
    """All reviews of this scenario are denied."""
    return [line for line in server.log.read_bytes().splitlines() if b"denied" in line]


@attack("log-flood", "malformed heads as fast as one client can, to fill the log", seconds=4, quick=False)
def log_flood(target, result):
    count = 0
    while target.is_running():
        try:
            with target.dial_tls(count, timeout=3) as connection:
                connection.sendall(b"nonsense " + b"x" * 4000 + b"\r\n\r\n")
                wire.read_response(connection)
                count += 1
        except OSError:
            pass
    result.tried = f"{count:,}"
