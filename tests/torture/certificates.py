"""Certificate pairs that cannot be served, at start and while the server runs."""

import os
import re
import shutil
import ssl
import time

from attack import claim_answers
from clients import GoodClient
from pairs import RSA, make_pair
from processes import wait_for
from scenario import fault
from server import Server


def truncate(path):
    path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])


def unusable_pairs(env):
    """{name: function(folder)} of pairs that no server may serve."""
    def changed(change):
        def make(folder):
            shutil.copytree(env.pair, folder)
            change(folder / "tls.crt", folder / "tls.key")
        return make

    def mismatched(folder):
        make_pair(folder)
        shutil.copy(env.pair / "tls.key", folder / "tls.key")

    cases = {
        "mismatched": mismatched,
        "certificate half-written": changed(lambda certificate, key: truncate(certificate)),
        "key half-written": changed(lambda certificate, key: truncate(key)),
        "both empty": changed(lambda certificate, key: [file.write_bytes(b"") for file in (certificate, key)]),
        "certificate removed": changed(lambda certificate, key: certificate.unlink()),
        "key removed": changed(lambda certificate, key: key.unlink()),
        "key unreadable": changed(lambda certificate, key: (key.unlink(), key.mkdir())),
        "not PEM": changed(lambda certificate, key: certificate.write_bytes(os.urandom(4096))),
        "10 MB": changed(lambda certificate, key: certificate.write_bytes(b"a\n" * (5 << 20))),
    }
    if shutil.which("faketime"):
        cases["expired"] = lambda folder: make_pair(folder, offset="-60 days")
        cases["not yet valid"] = lambda folder: make_pair(folder, offset="+10 days")
    return cases


# Pairs that a server may serve, but not without a warning.
WEAK_PAIRS = {
    "RSA of 1024 bits": lambda folder: make_pair(folder, key=("rsa:1024",)),
    "SHA-1": lambda folder: make_pair(folder, RSA, ["-sha1"]),
    "MD5": lambda folder: make_pair(folder, RSA, ["-md5"]),
    "keyCertSign alone": lambda folder: make_pair(folder, options=["-addext", "keyUsage=critical,keyCertSign"]),
    "key readable by all": lambda folder: (make_pair(folder) / "tls.key").chmod(0o644),
}


def start(env, folder):
    """The exit code of a server with this pair (None: it serves), the seconds until then, and its log."""
    with Server(env, pair=folder, wait=False) as server:
        done, took = wait_for(lambda: not server.is_alive() or certificate_of(server), 5)
        code = server.process.poll() if done else "neither exited nor served"
        return code, took, server.log_text()


def certificate_of(server):
    """The certificate that the server presents, or None."""
    try:
        return ssl.get_server_certificate(("127.0.0.1", server.port), timeout=3)
    except OSError:
        return None


def has_warning(log):
    return re.search(r'"level":"(warn|warning|error|critical)"', log)


def has_warning_after(server, size):
    with open(server.log, errors="replace") as log:
        log.seek(size)
        return has_warning(log.read())


@fault("certificates-at-start", "pairs that cannot be served, at start")
def at_start(env, result):
    cases = unusable_pairs(env)
    wrong, slowest = [], 0
    for index, (name, make) in enumerate(cases.items()):
        folder = env.folder / f"start-{index}"
        make(folder)
        code, took, log = start(env, folder)
        slowest = max(slowest, took)
        if code != 2 or not log.strip():
            wrong.append(f"{name} ({'served' if code is None else code})")
    result.claim("exits with 2 and an error", f"otherwise: {', '.join(wrong)}" if wrong else
                 f"all exit with 2, slowest {slowest:.1f} s", not wrong)
    silent = []
    for index, (name, make) in enumerate(WEAK_PAIRS.items()):
        folder = env.folder / f"weak-{index}"
        make(folder)
        code, _, log = start(env, folder)
        if code is None and not has_warning(log):
            silent.append(name)
    result.tried = f"{len(cases)}: {', '.join(cases)}; {', '.join(WEAK_PAIRS)}"
    result.claim("weak pairs are refused or logged as a warning",
                 f"served without a warning: {', '.join(silent)}" if silent else "all refused or logged", not silent)


@fault("certificates-at-reload", "pairs that cannot be served replace a good one while clients send requests")
def at_reload(env, result):
    cases = unusable_pairs(env)
    serving = env.folder / "reloaded"
    shutil.copytree(env.pair, serving)
    with Server(env, {"--reload-interval": 0.2}, pair=serving) as server, GoodClient(env, server, fresh="100ms") as good:
        good.phase("before", env.seconds(2))
        good.phase("during")
        before = certificate_of(server)
        replaced, not_logged = [], []
        for index, (name, make) in enumerate(cases.items()):
            log_size = server.log_size()
            folder = env.folder / f"reload-{index}"
            make(folder)
            copy_pair(folder, serving)
            wait_for(lambda: has_warning_after(server, log_size), 1.5)
            if certificate_of(server) != before:
                replaced.append(name)
            if not has_warning_after(server, log_size):
                not_logged.append(name)
            copy_pair(env.pair, serving)
            time.sleep(0.5)
        copy_pair(make_pair(env.folder / "fresh-pair"), serving)
        reloaded, took = wait_for(lambda: certificate_of(server) not in (before, None), 5)
        good.phase("after", 1)
        counts = good.finish()
    result.tried = f"{len(cases)}: {', '.join(cases)}"
    result.claim("the old pair is served", f"replaced by: {', '.join(replaced)}" if replaced else "old pair served",
                 not replaced)
    result.claim("each is logged", f"not logged: {', '.join(not_logged)}" if not_logged else "each logged", not not_logged)
    result.claim("a good pair is served within 5 s", f"a good pair after {took:.1f} s", reloaded)
    claim_answers(result, counts)


def copy_pair(source, serving):
    """Replaces both files one after the other, as cp does."""
    for name in ("tls.crt", "tls.key"):
        target = serving / name
        if target.is_dir():
            target.rmdir()
        target.unlink(missing_ok=True)
        if (source / name).is_dir():
            target.mkdir()
        elif (source / name).exists():
            shutil.copy(source / name, target)
