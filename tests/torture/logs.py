"""The log: who reads it, whether anybody does, and what clients can write into it."""

import os
import re
import threading
import urllib.request

import reviews
import wire
from attack import attack, beside_good_client, fault
from server import Server


def ask_much(target, result):
    request = wire.request(target.review)
    count = 0
    connection = None
    while target.until_end():
        try:
            connection = connection or wire.dial_tls(target, count, timeout=3)
            connection.sendall(request)
            count += wire.read_answer(connection)[0] == 200
        except OSError:
            connection = None
    result.tried = f"{count:,} requests beside"


def lost_lines(port):
    """What /metrics says of lines that could not be written."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    except OSError:
        return 0
    found = re.findall(r"^(winadmit_log\w*(?:dropped|lost|unwritten|discarded)\w*(?:\{[^}]*\})?) (\S+)$", text, re.M)
    return sum(float(value) for _, value in found)


def with_stdout(env, result, descriptor, counted):
    def watch(server):
        lost = lost_lines(server.admin_port)
        result.claim("what cannot be written is counted", f"{lost:.0f} lines counted as lost", lost > 0)
    beside_good_client(env, result, ask_much, seconds=5, stdout=descriptor, at_end=watch if counted else None)


@fault("stdout-unread", "stdout is a pipe that nobody reads")
def stdout_unread(env, result):
    reader, writer = os.pipe()
    try:
        with_stdout(env, result, writer, True)
    finally:
        os.close(reader)
        os.close(writer)


@fault("stdout-closed", "the reader of stdout is gone")
def stdout_closed(env, result):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        with_stdout(env, result, writer, True)
    finally:
        os.close(writer)


@fault("stdout-full", "stdout is a full disk (/dev/full)")
def stdout_full(env, result):
    with open("/dev/full", "w") as full:
        with_stdout(env, result, full.fileno(), True)


@fault("stdout-slow", "stdout is read at 4 KB a second", quick=False)
def stdout_slow(env, result):
    reader, writer = os.pipe()
    ended = threading.Event()

    def read():
        while not ended.wait(1):
            os.read(reader, 4096)
    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    try:
        with_stdout(env, result, writer, True)
    finally:
        ended.set()
        os.close(writer)
        thread.join()
        os.close(reader)


NAMES = {
    "100 KB": "n" * 100_000,
    "C1 control U+009B": "a\u009b31mb", "right-to-left override": "a\u202eb", "line separator": "a\u2028b",
    "DEL": "a\x7fb", "escape": "a\x1b[31mb", "line feed": 'a\n{"level":"error"}', "NUL": "a\x00b",
}
RAW = re.compile(rb"\x7f|\x1b|\x00|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]")


@fault("names-in-log", "names of 100 KB, and names with control characters")
def names_in_log(env, result):
    result.tried = f"{len(NAMES)} names in json and in text"
    for form in ("json", "text"):
        with Server(env, {"--log-format": form}) as server:
            before = server.log.read_bytes().count(b"\n")
            for name in NAMES.values():
                raw = wire.connect(server.port, 5)
                with wire.shake_hands(raw) as connection:
                    connection.sendall(wire.request(reviews.named(name)))
                    wire.read_answer(connection)
            wire.wait_for(lambda: server.log.read_bytes().count(b"\n") >= before + len(NAMES), 2)
            log = server.log.read_bytes()
            raw = sorted(set(RAW.findall(log)))
            lines = log.count(b"\n") - before
            result.claim(f"{form}: escaped", f"{form}: raw {raw}" if raw else f"{form}: no raw control character", not raw)
            result.claim(f"{form}: one line a review", f"{lines} lines", lines == len(NAMES))
            result.claim(f"{form}: no line over 16 KiB", f"longest {server.longest_line():,} B",
                         server.longest_line() <= 16 << 10)


@attack("log-flood", "refused heads as fast as one client can, to fill the log", seconds=4, quick=False)
def log_flood(target, result):
    count = 0
    while target.until_end():
        try:
            with wire.dial_tls(target, count, timeout=3) as connection:
                connection.sendall(b"nonsense " + b"x" * 4000 + b"\r\n\r\n")
                wire.read_answer(connection)
                count += 1
        except OSError:
            pass
    result.tried = f"{count:,}"
