"""Holds many connections to a server at once, to see what each costs it in memory."""

import resource
import select
import socket
import ssl
import time

COUNT = 4096
SOURCES = 64  # loopback addresses that the connections come from: a server may bound the share of one
SETTLE = 1.0  # seconds before the memory is read


def allow_descriptors(count=COUNT + 512):
    """For this process and the servers that it starts. Needs root where the hard limit is lower."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        hard = max(hard, count)
    if soft != resource.RLIM_INFINITY:
        soft = max(soft, count)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def connect(port, number):
    connection = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(f"127.0.1.{1 + number % SOURCES}", 0))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def client_context():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # memory is measured here, trust elsewhere
    return context


def ask_once(connection, context, request):
    connection = context.wrap_socket(connection)
    connection.sendall(request)
    if not connection.recv(65536).startswith(b"HTTP/1.1 200 "):
        raise RuntimeError("an answer is not right")
    return connection


def still_open(connections):
    """How many the server has not closed."""
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLRDHUP)
    return len(connections) - len(poll.poll(0))


def request_of(path, body):
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def hold(server, path, body, asked):
    """{"mib", "held"}: the server's memory while it holds the connections, and how many it did hold."""
    context, request = client_context(), request_of(path, body)
    connections = []
    try:
        for number in range(COUNT):
            connection = connect(server.port, number)
            connections.append(connection)
            if asked:
                connections[-1] = ask_once(connection, context, request)
        time.sleep(SETTLE)
        return {"mib": server.memory_mib("VmRSS"), "held": still_open(connections)}
    finally:
        for connection in connections:
            connection.close()
