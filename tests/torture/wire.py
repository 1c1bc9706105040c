"""Sockets of attackers: plain and TLS, from an address of choice, and requests as bytes."""

import socket
import ssl
import struct
import subprocess
import time

CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
CONTEXT.check_hostname = False
CONTEXT.verify_mode = ssl.CERT_NONE


def dial(target, index=0, timeout=10, port=None):
    """A TCP connection from one of the attackers' addresses."""
    return connect(port or target.port, timeout, target.address(index))


def connect(port, timeout=10, source="127.0.0.1"):
    connection = socket.create_connection(("127.0.0.1", port), timeout, source_address=(source, 0))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def shake_hands(raw):
    return CONTEXT.wrap_socket(raw, suppress_ragged_eofs=True)


def dial_tls(target, index=0, timeout=10):
    return shake_hands(dial(target, index, timeout))


def request(body=b"", path="/validate", head=b"", length=None, content_type=b"application/json"):
    """A POST; `head` are more header lines, each with its end."""
    return (b"POST " + path.encode() + b" HTTP/1.1\r\nHost: winadmit.test\r\nContent-Type: " + content_type
            + b"\r\nContent-Length: " + str(len(body) if length is None else length).encode() + b"\r\n" + head
            + b"\r\n" + body)


def read_answer(connection, data=b""):
    """The status and the body of the next answer, of which `data` was read before; (0, b"") where the connection ends."""
    while b"\r\n\r\n" not in data:
        more = receive(connection)
        if not more:
            return 0, b""
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length and (more := receive(connection)):
        body += more
    return int(head[9:12]), body


def receive(connection):
    try:
        return connection.recv(1 << 16)
    except OSError:
        return b""


def read_all(connection, quiet=1.0):
    """Everything until the connection ends, or is quiet for so long; and whether it ended."""
    connection.settimeout(quiet)
    data = b""
    while True:
        try:
            more = connection.recv(1 << 16)
        except TimeoutError:
            return data, False
        except OSError:
            return data, True
        if not more:
            return data, True
        data += more


def reset(connection):
    """Ends a connection with RST."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def client_hello():
    """The first bytes of a TLS client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = CONTEXT.wrap_bio(incoming, outgoing)
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def openssl_hello(*words):
    """The first bytes of `openssl s_client` with these options."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        port = listener.getsockname()[1]
        with subprocess.Popen(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *words],
                              stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as client:
            try:
                connection, _ = listener.accept()
                with connection:
                    connection.settimeout(5)
                    return connection.recv(1 << 14)
            finally:
                client.kill()


def wait_for(condition, seconds, step=0.05):
    """Whether the condition held within the time; and the time that it took."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if condition():
            return True, time.monotonic() - began
        time.sleep(step)
    return condition(), time.monotonic() - began
