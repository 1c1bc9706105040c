"""TCP and TLS connections to a server on loopback, and HTTP requests as bytes."""

import select
import socket
import ssl
import struct
import subprocess

CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
CONTEXT.check_hostname = False
CONTEXT.verify_mode = ssl.CERT_NONE  # certificates are verified in other tests


def connect(port, timeout=10, source="127.0.0.1"):
    connection = socket.create_connection(("127.0.0.1", port), timeout, source_address=(source, 0))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def start_tls(raw, context=CONTEXT):
    """Completes the TLS handshake on a TCP connection."""
    return context.wrap_socket(raw, suppress_ragged_eofs=True)


def request(body=b"", path="/validate", head=b"", length=None, content_type=b"application/json"):
    """A POST. `head` is further header lines with CRLF; `length` replaces the true Content-Length."""
    return (b"POST " + path.encode() + b" HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + content_type
            + b"\r\nContent-Length: " + str(len(body) if length is None else length).encode() + b"\r\n" + head
            + b"\r\n" + body)


def get(path):
    return b"GET " + path.encode() + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"


def read_response(connection, data=b""):
    """The status and body of the next response, the start of which may be `data`. (0, b"") if the connection ends."""
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
    """The bytes of one read, or b"" after an error or the end."""
    try:
        return connection.recv(1 << 16)
    except OSError:
        return b""


def read_all(connection, quiet=1.0):
    """All bytes until the connection ends or is quiet for that many seconds, and whether it ended."""
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


def count_open(connections):
    """The number of connections that the server has not closed."""
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLRDHUP)
    return len(connections) - len(poll.poll(0))


def reset(connection):
    """Closes a connection with RST."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def client_hello():
    """The ClientHello of a TLS client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = CONTEXT.wrap_bio(incoming, outgoing)
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def openssl_client_hello(*options):
    """The ClientHello of `openssl s_client` with these options."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        port = listener.getsockname()[1]
        with subprocess.Popen(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *options],
                              stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as client:
            try:
                connection, _ = listener.accept()
                with connection:
                    connection.settimeout(5)
                    return connection.recv(1 << 14)
            finally:
                client.kill()
