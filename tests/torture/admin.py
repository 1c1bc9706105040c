"""The admin port: a liveness probe that fails restarts the pod."""

import http.client
import socket
import time

import wire
from attack import attack
from server import cpu_seconds


def hold_admin(count_full, count_quick, data=b""):
    def hold(target, result):
        held = []
        count = target.count(count_full, count_quick)
        for index in range(count):
            try:
                held.append(wire.dial(target, index, 2, target.admin_port))
                held[-1].sendall(data)
            except OSError:
                pass
        target.begin()
        while target.until_end():
            time.sleep(0.1)
        result.tried = f"{count}"
        result.notes.append(f"{len(held)} connected")
    return hold


attack("admin-idle", "64 idle connections to the admin port", seconds=4)(hold_admin(64, 64))
attack("admin-idle-1000", "1,000 idle connections to the admin port", seconds=4, quick=False)(hold_admin(1000, 300))
attack("admin-half", "1,000 half requests to the admin port", seconds=4)(
    hold_admin(1000, 300, b"GET /metrics HTTP/1.1\r\nHost: a\r\nX-Half: "))


@attack("admin-flood", "/metrics and /healthz asked as fast as two processes can", seconds=5, processes=2)
def admin_flood(target, result):
    count = 0
    while target.until_end():
        try:
            connection = http.client.HTTPConnection("127.0.0.1", target.admin_port, timeout=5,
                                                    source_address=(target.address(count), 0))
            for path in ("/metrics", "/healthz", "/metrics", "/nothing"):
                connection.request("GET", path)
                connection.getresponse().read()
                count += 1
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
    result.tried = f"2 x {count:,}"


@attack("admin-never-read", "64 clients that ask for /metrics without end and never read", seconds=4)
def admin_never_read(target, result):
    held = []
    for index in range(64):
        try:
            connection = wire.dial(target, index, 2, target.admin_port)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.setblocking(False)
            held.append(connection)
        except OSError:
            pass
    target.begin()
    sent = 0
    while target.until_end():
        for connection in held:
            try:
                sent += connection.send(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n" * 20)
            except OSError:
                pass
        time.sleep(0.01)
    result.tried = f"{sent // 38:,} requests"


def no_descriptors(target, result):
    held = []
    for index in range(300):
        for port in (target.port, target.admin_port):
            try:
                connection = wire.dial(target, index, 1, port)
                held.append(connection)
            except OSError:
                pass
    target.begin()
    before = cpu_seconds(target.pid)
    while target.until_end():
        time.sleep(0.1)
    used = (cpu_seconds(target.pid) - before) / target.seconds
    result.tried = "600 connections"
    result.claim("at most half a core while it waits", f"{used:.2f} cores", used < 0.5)


attack("no-descriptors", "300 silent connections to each port, with 64 descriptors", seconds=4, descriptors=64)(
    no_descriptors)
