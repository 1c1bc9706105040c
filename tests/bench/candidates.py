"""The candidates of the benchmark: their command lines, paths and expected responses."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from winadmit import serve_command

HERE = Path(__file__).resolve().parent

NGINX = """
daemon off; master_process off; worker_processes 1; pid {work}/nginx.pid; error_log {work}/nginx.log;
events {{ worker_connections 4608; }}
http {{
  access_log off; keepalive_requests 1000000000; client_max_body_size 8m; client_body_buffer_size 1m;
  client_body_temp_path {work}/nginx-body; proxy_temp_path {work}/nginx-proxy;
  fastcgi_temp_path {work}/nginx-fastcgi; uwsgi_temp_path {work}/nginx-uwsgi; scgi_temp_path {work}/nginx-scgi;
  server {{
    listen 127.0.0.1:{port} ssl; ssl_certificate {cert}; ssl_certificate_key {key}; ssl_protocols TLSv1.3;
    location / {{
      default_type application/json;
      return 200 '{{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{{"uid":"0","allowed":true}}}}';
    }}
  }}
}}
"""


@dataclass
class Candidate:
    name: str
    role: str  # "ours", "floor", "limit", "go" or "rust"
    command: object  # function(port) -> list of words
    hooks: dict  # {hook: path}; the hook is "any" if it makes no difference
    judges: bool = True
    findings: bool = False  # details.causes lists every finding
    uid: bool = True  # the response has the uid of the request
    patches: bool = False
    binary: Path | None = None
    environment: dict = field(default_factory=dict)

    @property
    def hook(self):
        """The hook of measurements that need only one."""
        return "any" if "any" in self.hooks else "validate"

    def path(self, hook):
        return self.hooks.get(hook) or self.hooks["any"]

    def expected(self, hook, verdict):
        """Options of the load generator that describe a correct response."""
        flags = [] if self.uid else ["--any-uid"]
        refused = self.judges and hook == "validate" and verdict == "refused"
        flags += ["--allowed", "false" if refused else "true"]
        if refused and self.findings:
            flags += ["--causes", "5"]
        if self.patches:
            flags += ["--patch", "true" if hook == "mutate" and verdict == "unplaced" else "false"]
        return flags


def candidates(work, tools, binary):
    """All candidates whose program exists. `binary` is winadmit."""
    cert, key = work / "tls.crt", work / "tls.key"
    go = {"GOMAXPROCS": "1"}
    pair = ["--cert", str(cert), "--key", str(key)]
    both = {"validate": "/validate", "mutate": "/mutate"}


    def nginx(port):
        config = work / "nginx.conf"
        config.write_text(NGINX.format(work=work, port=port, cert=cert, key=key))
        return ["/usr/sbin/nginx", "-c", str(config), "-p", str(work)]

    def opa(port):
        return [str(tools / "opa"), "run", "--server", "--addr", f"https://127.0.0.1:{port}", "--log-level", "error",
                "--tls-cert-file", str(cert), "--tls-private-key-file", str(key), "--disable-telemetry",
                str(HERE / "peers/opa/policy.rego")]

    found = [
        Candidate("winadmit", "ours", lambda port: serve_command(binary, port, port + 100, work),
                  both, findings=True, patches=True, binary=binary, environment={"WINADMIT_THREADS": "1"}),
        Candidate("floor: Beast echo + simdjson", "floor",
                  lambda port: [str(tools / "bench_floor"), str(port), str(cert), str(key)],
                  {"any": "/", "refusal": "/refused"}, judges=False, binary=tools / "bench_floor"),
        Candidate("nginx, constant answer", "limit", nginx, {"any": "/"}, judges=False, uid=False,
                  binary=Path("/usr/sbin/nginx")),
        Candidate("hyper, rustls, kube", "rust",
                  lambda port: [str(tools / "rust-peer"), str(port), str(cert), str(key)],
                  both, findings=True, patches=True, binary=tools / "rust-peer"),
        Candidate("controller-runtime", "go",
                  lambda port: [str(tools / "controller-runtime"), "--port", str(port), *pair],
                  both, findings=True, patches=True, environment=go, binary=tools / "controller-runtime"),
        Candidate("pod-security-admission", "go",
                  lambda port: [str(tools / "pod-security"), "--port", str(port), *pair],
                  {"validate": "/"}, environment=go, binary=tools / "pod-security"),
        Candidate("OPA", "go", opa, {"validate": "/"}, environment=go, binary=tools / "opa"),
    ]
    return [c for c in found if c.binary is None or os.access(c.binary, os.X_OK)]
