"""Self-signed certificate pairs, made by openssl."""

import subprocess

P256 = ("ec", "-pkeyopt", "ec_paramgen_curve:P-256")
RSA = ("rsa:2048",)


def make_pair(folder, key=P256, options=(), offset=None):
    """Writes tls.crt and tls.key for localhost into a folder and returns the folder.

    `key` is the value of -newkey, `options` are further options of `openssl req`, and `offset` ("-60 days") changes the
    date of issue by faketime.
    """
    folder.mkdir(parents=True, exist_ok=True)
    certificate, private = folder / "tls.crt", folder / "tls.key"
    prefix = ["faketime", offset] if offset else []
    subprocess.run([*prefix, "openssl", "req", "-x509", "-newkey", *key, "-nodes", "-days", "30", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", private, "-out", certificate,
                    *options], check=True, capture_output=True)
    private.chmod(0o600)
    return folder
