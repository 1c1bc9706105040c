#!/usr/bin/env python3
"""Scans the webhook port with sslyze, with an ECDSA and with an RSA pair, and checks the result.

    tests/torture/tls_scan.py [--binary build/release/winadmit] [--json FILE]

The first run installs sslyze from PyPI into a virtual environment in the cache directory. Needs the packages of
`tools/setup.sh scan`. The last line is "N passed, N failed".
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))

from pairs import P256, RSA, make_pair  # noqa: E402 (these need the line above)
from winadmit import BINARY, Winadmit  # noqa: E402

SSLYZE = "sslyze==6.3.1"
TLS_1_3 = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"}
TLS_1_2_KINDS = ("AES_128_GCM_SHA256", "AES_256_GCM_SHA384", "CHACHA20_POLY1305_SHA256")
GROUPS = {"X25519", "secp256r1", "secp384r1"}
SCANS = ["--mozilla_config=disable", "--sslv2", "--sslv3", "--tlsv1", "--tlsv1_1", "--tlsv1_2", "--tlsv1_3",
         "--elliptic_curves", "--resum", "--reneg", "--compression", "--early_data", "--heartbleed", "--openssl_ccs",
         "--fallback", "--ems", "--robot"]
OLD_VERSIONS = ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1")


def sslyze():
    """The path of the scanner. Installs it the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "winadmit" / SSLYZE.replace("==", "-")
    program = folder / "bin" / "sslyze"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", SSLYZE], check=True)
    return program


def scan(binary, folder, key):
    """The result of sslyze for a server with such a pair."""
    found = folder / "found.json"
    with Winadmit(binary, make_pair(folder / "pair", key)) as server:
        subprocess.run([sslyze(), "--quiet", *SCANS, f"--json_out={found}", f"127.0.0.1:{server.port}"], check=False,
                       timeout=300, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    [result] = json.loads(found.read_text())["server_scan_results"]
    if result["scan_status"] != "COMPLETED":
        raise RuntimeError(f"sslyze could not scan: {result['connectivity_error_trace']}")
    return result["scan_result"]


def suites(found, version):
    return {each["cipher_suite"]["name"] for each in found[f"{version}_cipher_suites"]["result"]["accepted_cipher_suites"]}


def check(found, authentication):
    """Yields (claim, whether it holds, what was seen)."""
    def result(name):
        if found[name]["status"] != "COMPLETED":
            raise RuntimeError(f"{name}: {found[name]['error_trace']}")
        return found[name]["result"]

    for version in OLD_VERSIONS:
        yield f"no {version}", not suites(found, version), sorted(suites(found, version)) or "none"
    expected = {f"TLS_ECDHE_{authentication}_WITH_{kind}" for kind in TLS_1_2_KINDS}
    yield "TLS 1.2: ECDHE and AEAD", suites(found, "tls_1_2") == expected, sorted(suites(found, "tls_1_2"))
    yield "TLS 1.3: three suites", suites(found, "tls_1_3") == TLS_1_3, sorted(suites(found, "tls_1_3"))
    groups = {curve["name"].replace("prime256v1", "secp256r1") for curve in result("elliptic_curves")["supported_curves"]}
    yield "groups", groups == GROUPS, sorted(groups)
    resumption = result("session_resumption")
    for method in ("session_id", "tls_ticket"):
        seen = resumption[f"{method}_resumption_result"]
        yield f"no resumption by {method}", seen == "NOT_SUPPORTED", seen
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
    parser.add_argument("--binary", type=Path, default=BINARY)
    parser.add_argument("--json", type=Path, help="also write the results of sslyze to this file")
    args = parser.parse_args()
    passed = failed = 0
    all_found = {}
    for authentication, key in (("ECDSA", P256), ("RSA", RSA)):
        with tempfile.TemporaryDirectory() as folder:
            found = all_found[authentication] = scan(args.binary, Path(folder), key)
        for claim, holds, seen in check(found, authentication):
            print(f"{'ok  ' if holds else 'FAIL'} {authentication:5} {claim}: {seen}")
            passed, failed = passed + bool(holds), failed + (not holds)
    if args.json:
        args.json.write_text(json.dumps(all_found, indent=1))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
