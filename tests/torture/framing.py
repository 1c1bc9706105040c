"""Requests sent in pieces, and heads that a proxy and a server may frame differently (request smuggling)."""

import random
import re
import time

import wire
from attack import attack

HEAD = (b"POST /validate?timeout=10s HTTP/1.1\r\nHost: winadmit.b.svc:443\r\nUser-Agent: kube-apiserver-admission\r\n"
        b"Content-Length: %d\r\nAccept: application/json, */*\r\nContent-Type: application/json\r\n"
        b"Accept-Encoding: gzip\r\n\r\n")
PAUSE = 0.003  # seconds between two pieces, so that the server reads them separately


@attack("split-heads", "a head in two pieces, split at each byte; with bearer tokens of 1 to 4.5 KB", seconds=0)
def split_heads(target, result):
    random.seed(14)
    head = HEAD % len(target.review)
    splits = [(head, at) for at in range(1, len(head), target.count(1, 4))]
    for size in (1000, 2500, 4500):
        token = bytes(random.choices(b"abcdefghijklmnopqrstuvwxyzABCDEF0123456789-_", k=size))
        long = head[:-2] + b"Authorization: Bearer " + token + b"\r\n\r\n"
        splits += [(long, random.randrange(1, len(long))) for _ in range(target.count(60, 10))]
    served, others = 0, {}
    connection = None
    for index, (whole, at) in enumerate(splits):
        try:
            connection = connection or target.dial_tls(index, 5)
            connection.sendall(whole[:at])
            time.sleep(PAUSE)
            connection.sendall(whole[at:] + target.review)
            status, _ = wire.read_response(connection)
        except OSError:
            status = 0
        served += status == 200
        if status != 200:
            others[status] = others.get(status, 0) + 1
            connection = None
    result.tried = f"{len(splits)} splits"
    result.claim("all are served", f"{served} of {len(splits)} served {others or ''}", served == len(splits))


@attack("folded-head", "a folded Content-Type, and a body of 3 MB in two pieces", seconds=0)
def folded_head(target, result):
    statuses = []
    for index in range(target.count(20, 5)):
        request = wire.request(b"[" + b" " * 2_999_998 + b"]", head=b"", content_type=b"application/json\r\n ;charset=utf-8")
        try:
            connection = target.dial_tls(index, 5)
            connection.sendall(request[:5000])
            time.sleep(0.02)
            connection.sendall(request[5000:])
        except OSError:
            pass  # the server may refuse the head and close
        try:
            data, _ = wire.read_all(connection, 1)
            statuses.append(int(data[9:12] or 0))
        except (OSError, ValueError):
            statuses.append(0)
    result.tried = f"{len(statuses)}"
    result.claim("400 or closed", f"answers {sorted(set(statuses))}", set(statuses) <= {0, 400})


@attack("long-folds", "a folded Content-Type of 3.9 KB that is not JSON", seconds=0)
def long_folds(target, result):
    leaks = 0
    for index in range(target.count(40, 10)):
        fold = b"text/a\r\n " + b"A" * 3900
        try:
            with target.dial_tls(index, 5) as connection:
                connection.sendall(wire.request(b"{}", content_type=fold))
                data, _ = wire.read_all(connection, 0.3)
                body = data.partition(b"\r\n\r\n")[2]
                leaks += bool(re.search(rb"[^\x20-\x7e\r\n]", body)) or len(body) > 1024
        except OSError:
            pass
    result.tried = f"{target.count(40, 10)}"
    result.claim("an answer holds printable text of at most 1 KB", f"{leaks} answers with other bytes", not leaks)


INNER = b"GET /second HTTP/1.1\r\nHost: winadmit.test\r\n\r\n"


def with_lines(*lines, body=INNER, version=b"HTTP/1.1", target=b"/validate", host=b"Host: winadmit.test"):
    start = [b"POST " + target + b" " + version] + ([host] if host else []) + [b"Content-Type: application/json"]
    return b"\r\n".join([*start, *lines, b"", b""]) + body


LENGTH = b"Content-Length: %d" % len(INNER)
CHUNKED = b"Transfer-Encoding: chunked"
CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(INNER), INNER)

# Each case gets at most one response: what follows the head must never be handled as a second request.
CASES = {
    "Transfer-Encoding: identity": with_lines(b"Transfer-Encoding: identity"),
    "Transfer-Encoding: gzip": with_lines(b"Transfer-Encoding: gzip"),
    "Transfer-Encoding: banana": with_lines(b"Transfer-Encoding: banana"),
    "Transfer-Encoding empty": with_lines(b"Transfer-Encoding:"),
    "Transfer-Encoding: chunked, identity": with_lines(b"Transfer-Encoding: chunked, identity"),
    "Transfer-Encoding: chunked, chunked": with_lines(b"Transfer-Encoding: chunked, chunked"),
    "Transfer-Encoding: xchunked": with_lines(b"Transfer-Encoding: xchunked"),
    "Transfer-Encoding: chunked, with a tab": with_lines(b"Transfer-Encoding:\tchunked\x0b"),
    "Transfer-Encoding twice": with_lines(CHUNKED, b"Transfer-Encoding: identity"),
    "a folded Transfer-Encoding": with_lines(b"Transfer-Encoding:\r\n chunked"),
    "Transfer-Encoding and Content-Length": with_lines(CHUNKED, b"Content-Length: 5", body=CHUNKS + INNER),
    "chunked and Content-Length 0": with_lines(b"Content-Length: 0", CHUNKED, body=CHUNKS),
    "identity and Content-Length": with_lines(b"Transfer-Encoding: identity", LENGTH),
    "two Content-Lengths": with_lines(LENGTH, b"Content-Length: 0"),
    "Content-Length: n, n": with_lines(b"Content-Length: %d, %d" % (len(INNER), len(INNER))),
    "Content-Length: 0, n": with_lines(b"Content-Length: 0, %d" % len(INNER)),
    "Content-Length: +n": with_lines(b"Content-Length: +%d" % len(INNER)),
    "Content-Length: -1": with_lines(b"Content-Length: -1"),
    "Content-Length: 0x0": with_lines(b"Content-Length: 0x0"),
    "Content-Length: 0a": with_lines(b"Content-Length: 0a"),
    "Content-Length of 20 digits": with_lines(b"Content-Length: 18446744073709551616"),
    "Content-Length empty": with_lines(b"Content-Length:"),
    "Content-Length with a space before the colon": with_lines(b"Content-Length : %d" % len(INNER)),
    "a folded Content-Length": with_lines(b"Content-Length:\r\n %d" % len(INNER)),
    "no Host": with_lines(LENGTH, host=b""),
    "two Hosts": with_lines(LENGTH, b"Host: other.test"),
    "an absolute target": with_lines(LENGTH, target=b"http://other.test/validate"),
    "a target without a slash": with_lines(LENGTH, target=b"validate"),
    "a target with a space": with_lines(LENGTH, target=b"/validate x"),
    "Expect: banana": with_lines(LENGTH, b"Expect: banana"),
    "chunked in HTTP/1.0": with_lines(CHUNKED, version=b"HTTP/1.0", body=CHUNKS),
    "HTTP/1.2": with_lines(LENGTH, version=b"HTTP/1.2"),
    "HTTP/2.0": with_lines(LENGTH, version=b"HTTP/2.0"),
    "HTTP/01.1": with_lines(LENGTH, version=b"HTTP/01.1"),
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + INNER,
    "a NUL in a value": with_lines(LENGTH, b"X: a\x00b"),
    "a bare CR in a value": with_lines(LENGTH, b"X: a\rTransfer-Encoding: chunked"),
    "a name with a NUL": with_lines(LENGTH, b"X\x00: a"),
    "a line without a colon": with_lines(LENGTH, b"nonsense"),
    "a first line that is folded": b"POST /validate HTTP/1.1\r\n Host: a\r\n" + LENGTH + b"\r\n\r\n" + INNER,
    "a chunk size of 17 digits": with_lines(CHUNKED, body=b"10000000000000005\r\n" + INNER),
    "a negative chunk size": with_lines(CHUNKED, body=b"-5\r\n" + INNER),
    "a chunk size with 0x": with_lines(CHUNKED, body=b"0x5\r\nhello\r\n0\r\n\r\n"),
    "an empty chunk size": with_lines(CHUNKED, body=b"\r\n" + INNER),
    "a chunk without its end": with_lines(CHUNKED, body=b"5\r\nhelloXX0\r\n\r\n"),
    "a chunk extension of 64 KB": with_lines(CHUNKED, body=b"5;" + b"a" * 65536 + b"\r\nhello\r\n0\r\n\r\n"),
    "a trailer with Content-Length": with_lines(CHUNKED, body=b"0\r\nContent-Length: 5\r\n\r\n"),
    "10,000 trailers": with_lines(CHUNKED, body=b"0\r\n" + b"A: b\r\n" * 10_000 + b"\r\n"),
    "10,000 fields": with_lines(LENGTH, *[b"X-%d: y" % index for index in range(10_000)]),
    "a field of 1 MB": with_lines(LENGTH, b"X: " + b"y" * (1 << 20)),
    "a target of 1 MB": with_lines(LENGTH, target=b"/" + b"y" * (1 << 20)),
}
REFUSED = {name for name in CASES if name.startswith(("Transfer-Encoding: ", "Transfer-Encoding e", "Content-Length: ",
                                                      "Content-Length o", "a folded", "no Host", "two ", "Expect",
                                                      "a NUL", "a name", "a line", "HTTP/2", "identity"))}


@attack("smuggling", "heads that two servers may frame differently, each followed by a second request", seconds=0)
def smuggling(target, result):
    twice, served = [], []
    for index, (name, data) in enumerate(CASES.items()):
        try:
            connection = target.dial_tls(index, 5)
            connection.sendall(data)
        except OSError:
            pass  # the server may refuse the head and close
        # The server may delay the end of the connection so that the client can read the refusal.
        received, ended = wire.read_all(connection, 4 if name in REFUSED else 0.3)
        statuses = re.findall(rb"HTTP/1\.[01] (\d{3})", received)
        statuses = [status for status in statuses if status != b"100"]
        if len(statuses) > 1:
            twice.append(name)
        # A refusal because of the framing must close the connection: where the next request starts is unknown.
        elif name in REFUSED and (statuses and statuses[0] < b"400" or statuses and not ended):
            served.append(f"{name} ({statuses[0].decode()}{'' if ended else ', kept open'})")
    result.tried = f"{len(CASES)}"
    plain = target.dial_tls(0, 5)
    plain.sendall(with_lines(LENGTH) + with_lines(LENGTH))
    answers = wire.read_all(plain, 0.5)[0].count(b"HTTP/1.1 ")
    result.claim("two plain requests get two answers", f"two plain ones: {answers} answers", answers == 2)
    result.claim("nothing is answered twice", f"answered twice: {', '.join(twice)}" if twice else "none answered twice",
                 not twice)
    result.claim("what Go refuses is refused and closed", f"not refused: {', '.join(served)}" if served else
                 f"{len(REFUSED)} refused", not served)
