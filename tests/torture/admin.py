"""The admin port. If its liveness probe fails, the kubelet restarts the pod."""

import http.client
import socket
import time

import wire
from attack import attack
from processes import cpu_seconds


def hold_admin(count, quick_count, data=b""):
    def hold(target, result):
        target.hold(result, target.count(count, quick_count), lambda connection: connection.sendall(data),
                    target.admin_port)
    return hold


attack("admin-idle", "64 idle connections to the admin port", seconds=4)(hold_admin(64, 64))
attack("admin-idle-1000", "1,000 idle connections to the admin port", seconds=4, quick=False)(hold_admin(1000, 300))
attack("admin-half", "1,000 half requests to the admin port", seconds=4)(
    hold_admin(1000, 300, b"GET /metrics HTTP/1.1\r\nHost: a\r\nX-Half: "))


@attack("admin-flood", "/metrics and /healthz as fast as two processes can request them", seconds=5, processes=2)
def admin_flood(target, result):
    count = 0
    while target.is_running():
        connection = http.client.HTTPConnection("127.0.0.1", target.admin_port, timeout=5,
                                                source_address=(target.address(count), 0))
        try:
            for path in ("/metrics", "/healthz", "/metrics", "/nothing"):
                connection.request("GET", path)
                connection.getresponse().read()
                count += 1
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
    result.tried = f"2 x {count:,}"


@attack("admin-never-read", "64 clients that request /metrics repeatedly and never read", seconds=4)
def admin_never_read(target, result):
    def stop_reading(connection):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)

    connections, _ = target.open_many(64, stop_reading, target.admin_port)
    request = wire.get("/metrics")
    target.start_clock()
    sent = 0
    while target.is_running():
        for connection in connections:
            try:
                sent += connection.send(request * 20)
            except OSError:
                pass
        time.sleep(0.01)
    result.tried = f"{sent // len(request):,} requests"


@attack("no-descriptors", "300 silent connections to each port, with 64 descriptors", seconds=4, descriptors=64)
def no_descriptors(target, result):
    connections = []
    for index in range(300):
        for port in (target.port, target.admin_port):
            try:
                connections.append(target.dial(index, 1, port))
            except OSError:
                pass
    target.start_clock()
    before = cpu_seconds(target.pid)
    while target.is_running():
        time.sleep(0.1)
    used = (cpu_seconds(target.pid) - before) / target.seconds
    result.tried = "600 connections"
    result.claim("at most half a core while it waits", f"{used:.2f} cores", used < 0.5)
