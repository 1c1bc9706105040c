"""Certificates that cannot be served, at the start and while the server runs."""

import os
import re
import shutil
import ssl
import subprocess
import time

import wire
from attack import claim_answers, fault
from clients import GoodClient
from server import Server

EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
USUAL = ["-addext", "subjectAltName=DNS:winadmit.test", "-days", "30"]


def make_pair(folder, words=(), key=EC, ago=None):
    """A self-signed pair, as if made at another time; `words` are for `openssl req`."""
    folder.mkdir()
    prefix = ["faketime", ago] if ago else []
    subprocess.run([*prefix, "openssl", "req", "-x509", *key, "-nodes", "-subj", "/CN=winadmit.test", "-keyout",
                    f"{folder}/tls.key", "-out", f"{folder}/tls.crt", *USUAL, *words],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (folder / "tls.key").chmod(0o600)
    return folder


def make_rsa_pair(folder):
    return make_pair(folder, key=["-newkey", "rsa:2048"])


def half(path):
    path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])


def unusable(env):
    """Name, and how to make it: no server may serve these."""
    def copy_of_good(folder):
        shutil.copytree(env.pair, folder)
        return folder

    def mismatched(folder):
        make_pair(folder)
        shutil.copy(env.pair / "tls.key", folder / "tls.key")

    def changed(change):
        def make(folder):
            change(copy_of_good(folder))
        return make
    cases = {
        "mismatched": mismatched,
        "certificate half-written": changed(lambda folder: half(folder / "tls.crt")),
        "key half-written": changed(lambda folder: half(folder / "tls.key")),
        "both empty": changed(lambda folder: [(folder / name).write_bytes(b"") for name in ("tls.crt", "tls.key")]),
        "certificate removed": changed(lambda folder: (folder / "tls.crt").unlink()),
        "key removed": changed(lambda folder: (folder / "tls.key").unlink()),
        "key unreadable": changed(lambda folder: ((folder / "tls.key").unlink(), (folder / "tls.key").mkdir())),
        "not PEM": changed(lambda folder: (folder / "tls.crt").write_bytes(os.urandom(4096))),
        "10 MB": changed(lambda folder: (folder / "tls.crt").write_bytes(b"a\n" * (5 << 20))),
    }
    if shutil.which("faketime"):
        cases["expired"] = lambda folder: make_pair(folder, ago="-60 days")
        cases["not yet valid"] = lambda folder: make_pair(folder, ago="+10 days")
    return cases


def doubtful():
    """Those that a server may serve, but never without a word."""
    return {
        "RSA of 1024 bits": lambda folder: make_pair(folder, key=["-newkey", "rsa:1024"]),
        "SHA-1": lambda folder: make_pair(folder, ["-sha1"], key=["-newkey", "rsa:2048"]),
        "MD5": lambda folder: make_pair(folder, ["-md5"], key=["-newkey", "rsa:2048"]),
        "keyCertSign alone": lambda folder: make_pair(folder, ["-addext", "keyUsage=critical,keyCertSign"]),
        "key readable by all": lambda folder: (make_pair(folder) / "tls.key").chmod(0o644),
    }


def start(env, folder):
    """Exit code (None: it serves), seconds, and what it said."""
    with Server(env, pair=folder, wait=False) as server:
        began = time.monotonic()
        ended, _ = wire.wait_for(lambda: not server.alive() or serves(server.port), 5)
        took = time.monotonic() - began
        code = server.process.poll() if ended else "neither ended nor served"
        return code, took, server.log.read_text(errors="replace")


def serves(port):
    try:
        ssl.get_server_certificate(("127.0.0.1", port), timeout=1)
        return True
    except OSError:
        return False


def said(log):
    return re.search(r'"level":"(warn|warning|error|critical)"', log)


@fault("certificates-at-start", "pairs that cannot be served, at the start")
def at_start(env, result):
    cases = unusable(env)
    wrong, slow = [], 0
    for index, (name, make) in enumerate(cases.items()):
        folder = env.folder / f"start-{index}"
        make(folder)
        code, took, log = start(env, folder)
        slow = max(slow, took)
        if code != 2 or not log.strip():
            wrong.append(f"{name} ({'served' if code is None else code})")
    result.tried = f"{len(cases)}: {', '.join(cases)}"
    result.claim("ends with 2 and a sentence", f"otherwise: {', '.join(wrong)}" if wrong else
                 f"all end with 2, slowest {slow:.1f} s", not wrong)
    silent = []
    for index, (name, make) in enumerate(doubtful().items()):
        folder = env.folder / f"doubtful-{index}"
        make(folder)
        code, _, log = start(env, folder)
        if code is None and not said(log):
            silent.append(name)
    result.tried += f"; {', '.join(doubtful())}"
    result.claim("weak pairs are refused, or a warning says so",
                 f"served without a word: {', '.join(silent)}" if silent else "all refused or said", not silent)


@fault("certificates-at-reload", "pairs that cannot be served, put in place while clients ask")
def at_reload(env, result):
    cases = unusable(env)
    serving = env.folder / "reloaded"
    shutil.copytree(env.pair, serving)
    with Server(env, {"--reload-interval": 0.2}, pair=serving) as server:
        with GoodClient(env, server, fresh="100ms") as good:
            good.phase("before")
            time.sleep(env.seconds(2))
            good.phase("during")
            before = fingerprint(server)
            degraded, unsaid = [], []
            for index, (name, make) in enumerate(cases.items()):
                log = server.log_size()
                make(env.folder / f"reload-{index}")
                replace(env.folder / f"reload-{index}", serving)
                wire.wait_for(lambda: warned_since(server, log), 1.5)
                if fingerprint(server) != before:
                    degraded.append(name)
                if not warned_since(server, log):
                    unsaid.append(name)
                replace(env.pair, serving)
                time.sleep(0.5)
            fresh = make_pair(env.folder / "fresh-pair")
            replace(fresh, serving)
            swapped, took = wire.wait_for(lambda: fingerprint(server) not in (before, None), 5)
            good.phase("after")
            time.sleep(1)
            counts = good.finish()
    result.tried = f"{len(cases)}: {', '.join(cases)}"
    result.claim("the old pair is served", f"replaced by: {', '.join(degraded)}" if degraded else "old pair served",
                 not degraded)
    result.claim("the log says so", f"not said: {', '.join(unsaid)}" if unsaid else "each said", not unsaid)
    result.claim("a good pair is served within 5 s", f"a good pair after {took:.1f} s", swapped)
    claim_answers(env, result, counts, False)


def replace(source, serving):
    """Both files, one after the other, as by a person with cp."""
    for name in ("tls.crt", "tls.key"):
        target = serving / name
        if target.is_dir():
            target.rmdir()
        target.unlink(missing_ok=True)
        if (source / name).is_dir():
            target.mkdir()
        elif (source / name).exists():
            shutil.copy(source / name, target)


def warned_since(server, size):
    with open(server.log, errors="replace") as log:
        log.seek(size)
        return said(log.read())


def fingerprint(server):
    try:
        return ssl.get_server_certificate(("127.0.0.1", server.port), timeout=3)
    except OSError:
        return None
