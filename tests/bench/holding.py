"""Holds many connections to a server at once and measures its memory."""

import time

import wire

COUNT = 4096
SOURCES = 64  # loopback addresses of the connections, because a server may limit the share of one address
SETTLE_SECONDS = 1.0  # before the memory is read


def send_request(raw, request):
    connection = wire.start_tls(raw)
    connection.sendall(request)
    if wire.read_response(connection)[0] != 200:
        raise RuntimeError("a response has not status 200")
    return connection


def hold(server, path, body, with_request):
    """Opens the connections, silent or with one request each. Returns {"mib": memory, "held": number still open}."""
    request = wire.request(body, path)
    connections = []
    try:
        for number in range(COUNT):
            connections.append(wire.connect(server.port, source=f"127.0.1.{1 + number % SOURCES}"))
            if with_request:
                connections[-1] = send_request(connections[-1], request)
        time.sleep(SETTLE_SECONDS)
        return {"mib": server.memory_mib("VmRSS"), "held": wire.count_open(connections)}
    finally:
        for connection in connections:
            connection.close()
