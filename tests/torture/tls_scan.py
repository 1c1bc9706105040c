#!/usr/bin/env python3
"""Scans the webhook port of a running server with sslyze, with an ECDSA and with an RSA pair, and judges what it finds.

    tests/torture/tls_scan.py [--binary build/release/winadmit] [--json FILE]

sslyze comes from PyPI into a virtual environment of its own, in the cache directory. The last line is
"N passed, N failed". Needs the packages of
`tools/setup.sh scan`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SSLYZE = "sslyze==6.3.1"
TLS_1_3 = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"}
TLS_1_2_KINDS = ("AES_128_GCM_SHA256", "AES_256_GCM_SHA384", "CHACHA20_POLY1305_SHA256")
GROUPS = {"X25519", "secp256r1", "secp384r1"}
SCANS = ["--mozilla_config=disable", "--sslv2", "--sslv3", "--tlsv1", "--tlsv1_1", "--tlsv1_2", "--tlsv1_3",
         "--elliptic_curves", "--resum", "--reneg", "--compression", "--early_data", "--heartbleed", "--openssl_ccs",
         "--fallback", "--ems", "--robot"]
OLD_VERSIONS = ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1")


def sslyze():
    """The scanner's path; installs it the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "winadmit" / SSLYZE.replace("==", "-")
    program = folder / "bin" / "sslyze"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", SSLYZE], check=True)
    return program


def make_pair(folder, key):
    """A self-signed pair for localhost; `key` as openssl's -newkey has it."""
    certificate, private = folder / "tls.crt", folder / "tls.key"
    subprocess.run(["openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-newkey", *key,
                    "-keyout", private, "-out", certificate], check=True, capture_output=True)
    private.chmod(0o600)
    return certificate, private


def scan(binary, folder, key):
    """What sslyze says of a server with such a pair."""
    certificate, private = make_pair(folder, key)
    server = subprocess.Popen([binary, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
                               "--tls-cert", certificate, "--tls-key", private, "--drain-delay", "0",
                               "--log-format", "json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for line in server.stdout:
            address = json.loads(line).get("listen")
            if address:
                break
        else:
            raise RuntimeError("the server did not start")
        found = folder / "found.json"
        subprocess.run([sslyze(), "--quiet", *SCANS, f"--json_out={found}", address], check=False, timeout=300,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        [result] = json.loads(found.read_text())["server_scan_results"]
    finally:
        server.terminate()
        server.wait(30)
    if result["scan_status"] != "COMPLETED":
        raise RuntimeError(f"sslyze could not scan: {result['connectivity_error_trace']}")
    return result["scan_result"]


def suites(found, version):
    return {each["cipher_suite"]["name"] for each in found[f"{version}_cipher_suites"]["result"]["accepted_cipher_suites"]}


def judge(found, authentication):
    """Claim, whether it holds, and what was seen."""
    def result(name):
        if found[name]["status"] != "COMPLETED":
            raise RuntimeError(f"{name}: {found[name]['error_trace']}")
        return found[name]["result"]

    for version in OLD_VERSIONS:
        yield f"no {version}", not suites(found, version), sorted(suites(found, version)) or "none"
    expected = {f"TLS_ECDHE_{authentication}_WITH_{kind}" for kind in TLS_1_2_KINDS}
    yield "TLS 1.2: ECDHE and AEAD", suites(found, "tls_1_2") == expected, sorted(suites(found, "tls_1_2"))
    yield "TLS 1.3: its three suites", suites(found, "tls_1_3") == TLS_1_3, sorted(suites(found, "tls_1_3"))
    groups = {curve["name"].replace("prime256v1", "secp256r1") for curve in result("elliptic_curves")["supported_curves"]}
    yield "groups", groups == GROUPS, sorted(groups)
    resumption = result("session_resumption")
    for way in ("session_id", "tls_ticket"):
        seen = resumption[f"{way}_resumption_result"]
        yield f"no resumption by {way}", seen == "NOT_SUPPORTED", seen
    renegotiation = result("session_renegotiation")
    yield ("renegotiation is secure and refused to clients",
           renegotiation["supports_secure_renegotiation"] and
           not renegotiation["is_vulnerable_to_client_renegotiation_dos"], renegotiation)
    for plugin, key in (("tls_compression", "supports_compression"),
                        ("tls_1_3_early_data", "supports_early_data"),
                        ("heartbleed", "is_vulnerable_to_heartbleed"),
                        ("openssl_ccs_injection", "is_vulnerable_to_ccs_injection")):
        yield f"{plugin}: not {key}", result(plugin)[key] is False, result(plugin)[key]
    for plugin, key in (("tls_fallback_scsv", "supports_fallback_scsv"),
                        ("tls_extended_master_secret", "supports_ems_extension")):
        yield f"{plugin}: {key}", result(plugin)[key] is True, result(plugin)[key]
    robot = result("robot")["robot_result"]
    yield "robot", robot.startswith("NOT_VULNERABLE"), robot


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path,
                        default=Path(__file__).resolve().parents[2] / "build/release/winadmit")
    parser.add_argument("--json", type=Path, help="write what sslyze found here")
    args = parser.parse_args()
    passed = failed = 0
    all_found = {}
    for authentication, key in (("ECDSA", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]), ("RSA", ["rsa:2048"])):
        with tempfile.TemporaryDirectory() as folder:
            found = all_found[authentication] = scan(args.binary, Path(folder), key)
        for claim, holds, seen in judge(found, authentication):
            print(f"{'ok  ' if holds else 'FAIL'} {authentication:5} {claim}: {seen}")
            passed, failed = passed + bool(holds), failed + (not holds)
    if args.json:
        args.json.write_text(json.dumps(all_found, indent=1))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
