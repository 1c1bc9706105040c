"""Floods of TLS handshakes: each costs the server more than the client."""

import ssl
import subprocess
import time

import wire
from attack import attack, fault
from server import Server


@attack("handshake-flood", "full handshakes as fast as two processes can", seconds=5, processes=2)
def handshake_flood(target, result):
    count = failed = 0
    while target.until_end():
        try:
            wire.dial_tls(target, count, timeout=3).close()
            count += 1
        except OSError:
            failed += 1
    result.tried = f"2 x {count:,}"
    result.notes.append(f"{failed:,} of one process refused")


def replay(hello, pause):
    def flood(target, result):
        count = 0
        last = []
        while target.until_end():
            try:
                raw = wire.dial(target, count, timeout=3)
                raw.sendall(hello)
                last.append(raw)
            except OSError:
                pass
            if len(last) > 50:
                last.pop(0).close()
            count += 1
            time.sleep(pause)
        result.tried = f"{count:,} hellos"
    return flood


@attack("replayed-hello-25", "one ClientHello replayed 25 times a second", seconds=4, quick=False)
def replayed_slowly(target, result):
    replay(wire.client_hello(), 0.04)(target, result)


@attack("replayed-hello", "one ClientHello replayed as fast as two processes can", seconds=5, processes=2)
def replayed(target, result):
    replay(wire.client_hello(), 0)(target, result)


@attack("replayed-ffdhe8192", "a ClientHello with ffdhe8192 alone replayed 25 times a second", seconds=4)
def replayed_ffdhe(target, result):
    replay(wire.openssl_hello("-tls1_3", "-groups", "ffdhe8192"), 0.04)(target, result)


@attack("tls12-flood", "TLS 1.2 clients that handshake and ask, again and again", seconds=4, quick=False)
def tls12(target, result):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    count = 0
    while target.until_end():
        try:
            with context.wrap_socket(wire.dial(target, count, timeout=3)) as connection:
                connection.sendall(b"GET /nothing HTTP/1.1\r\nHost: winadmit.test\r\n\r\n")
                wire.read_answer(connection)
                count += 1
        except OSError:
            pass
    result.tried = f"{count:,}"


OFFERS = [
    ("TLS 1.3 with X25519", ["-tls1_3", "-groups", "X25519"], True),
    ("TLS 1.3 with P-256", ["-tls1_3", "-groups", "P-256"], True),
    ("TLS 1.3 with P-384", ["-tls1_3", "-groups", "P-384"], True),
    ("TLS 1.3 with ffdhe2048", ["-tls1_3", "-groups", "ffdhe2048"], False),
    ("TLS 1.3 with ffdhe8192", ["-tls1_3", "-groups", "ffdhe8192"], False),
    ("TLS 1.2 with ECDHE and AES-GCM",
     ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"], True),
    ("TLS 1.2 with CBC", ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384"],
     False),
    ("TLS 1.2 with static RSA", ["-tls1_2", "-cipher", "AES128-GCM-SHA256:AES128-SHA"], False),
    ("TLS 1.2 with DHE", ["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"], False),
    ("TLS 1.1", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], False),
]


@fault("tls-offers", "what a client may and may not agree on")
def tls_offers(env, result):
    result.tried = f"{len(OFFERS)} offers with an EC and an RSA pair"
    for kind, pair in (("EC", env.pair), ("RSA", env.rsa_pair)):
        with Server(env, pair=pair) as server:
            wrong = [name for name, words, served in OFFERS if agrees(server.port, words) != served]
            result.claim(f"{kind} pair: ECDHE with AEAD on X25519, P-256, P-384, and nothing else",
                         f"{kind}: " + (f"otherwise: {', '.join(wrong)}" if wrong else "as promised"), not wrong)
            tickets = ticket(server.port)
            result.claim(f"{kind} pair: no tickets", f"{kind}: " + ("a ticket" if tickets else "no ticket"), not tickets)


def agrees(port, words):
    done = run_openssl(port, words)
    return "Cipher is (NONE)" not in done and ("Cipher is" in done or "Cipher    :" in done)


def ticket(port):
    return "TLS session ticket:" in run_openssl(port, ["-tls1_2"])


def run_openssl(port, words):
    return subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *words], input="", text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20).stdout
