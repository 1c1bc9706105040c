"""TLS: floods of handshakes, which cost the server more than the client, and the accepted versions and ciphers."""

import ssl
import subprocess
import time

import wire
from attack import attack
from scenario import fault
from server import Server


@attack("handshake-flood", "full handshakes as fast as two processes can", seconds=5, processes=2)
def handshake_flood(target, result):
    count = failed = 0
    while target.is_running():
        try:
            target.dial_tls(count, timeout=3).close()
            count += 1
        except OSError:
            failed += 1
    result.tried = f"2 x {count:,}"
    result.notes.append(f"{failed:,} of one process refused")


def replay(target, result, hello, pause):
    """Sends the same ClientHello on new connections, and keeps the last 50 open."""
    count = 0
    last = []
    while target.is_running():
        try:
            raw = target.dial(count, timeout=3)
            raw.sendall(hello)
            last.append(raw)
        except OSError:
            pass
        if len(last) > 50:
            last.pop(0).close()
        count += 1
        time.sleep(pause)
    result.tried = f"{count:,} hellos"


@attack("replayed-hello-25", "one ClientHello replayed 25 times a second", seconds=4, quick=False)
def replayed_slowly(target, result):
    replay(target, result, wire.client_hello(), 0.04)


@attack("replayed-hello", "one ClientHello replayed as fast as two processes can", seconds=5, processes=2)
def replayed(target, result):
    replay(target, result, wire.client_hello(), 0)


@attack("replayed-ffdhe8192", "a ClientHello with only ffdhe8192 replayed 25 times a second", seconds=4)
def replayed_ffdhe(target, result):
    replay(target, result, wire.openssl_client_hello("-tls1_3", "-groups", "ffdhe8192"), 0.04)


@attack("tls12-flood", "TLS 1.2 clients that connect and send one request each, repeatedly", seconds=4, quick=False)
def tls12_flood(target, result):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    count = 0
    while target.is_running():
        try:
            with wire.start_tls(target.dial(count, timeout=3), context) as connection:
                connection.sendall(wire.get("/nothing"))
                wire.read_response(connection)
                count += 1
        except OSError:
            pass
    result.tried = f"{count:,}"


# Name, options of openssl s_client, and whether the server accepts them.
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


@fault("tls-offers", "TLS versions, groups and ciphers that a client may negotiate")
def tls_offers(env, result):
    result.tried = f"{len(OFFERS)} offers with an EC and an RSA pair"
    for kind, pair in (("EC", env.pair), ("RSA", env.rsa_pair)):
        with Server(env, pair=pair) as server:
            wrong = [name for name, options, accepted in OFFERS if negotiates(server.port, options) != accepted]
            result.claim(f"{kind} pair: ECDHE with AEAD on X25519, P-256, P-384, and nothing else",
                         f"{kind}: " + (f"otherwise: {', '.join(wrong)}" if wrong else "as promised"), not wrong)
            has_ticket = "TLS session ticket:" in run_openssl(server.port, ["-tls1_2"])
            result.claim(f"{kind} pair: no tickets", f"{kind}: " + ("a ticket" if has_ticket else "no ticket"),
                         not has_ticket)


def negotiates(port, options):
    output = run_openssl(port, options)
    return "Cipher is (NONE)" not in output and ("Cipher is" in output or "Cipher    :" in output)


def run_openssl(port, options):
    return subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{port}", *options], input="", text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20).stdout
