"""What stands beside an attack: the well-behaved client, and the kubelet's probe."""

import http.client
import json
import subprocess
import threading
import time


class GoodClient:
    """A context; `finish` ends it and returns the counts of each phase."""

    def __init__(self, run, server, local="127.0.0.99", rate=200, connections=4, fresh="1s", timeout="10s",
                 requests=None):
        words = [run.client, f"-server=127.0.0.1:{server.port}", f"-local={local}", f"-rate={rate}",
                 f"-connections={connections}", f"-fresh={fresh}", f"-timeout={timeout}", *(requests or run.requests)]
        self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the well-behaved client has no first answers")

    def phase(self, name):
        self.process.stdin.write(f"phase {name}\n")
        self.process.stdin.flush()

    def finish(self):
        return json.loads(self.process.communicate(timeout=60)[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


class Probe:
    """Asks /healthz every 100 ms over a new connection, and notes the memory of the server."""

    def __init__(self, server, address="127.0.0.1"):
        self.server, self.address = server, address
        self.times, self.failures, self.memory = [], [], []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.ended.wait(0.1):
            self.memory.append(self.server.status("VmRSS"))
            began = time.monotonic()
            try:
                connection = http.client.HTTPConnection(self.address, self.server.admin_port, timeout=5)
                connection.request("GET", "/healthz")
                answer = connection.getresponse()
                if answer.status != 200:
                    self.failures.append(f"status {answer.status}")
                connection.close()
            except OSError as error:
                self.failures.append(type(error).__name__)
            self.times.append(time.monotonic() - began)

    def worst(self):
        return max(self.times, default=0)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
