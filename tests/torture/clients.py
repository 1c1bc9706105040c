"""The clients beside an attack: a well-behaved one (client/), and the liveness probe of the kubelet."""

import http.client
import json
import subprocess
import threading
import time

from target import GOOD_ADDRESS


class GoodClient:
    """A context manager. `phase` starts a new count; `finish` stops the client and returns the counts by phase."""

    def __init__(self, env, server, local=GOOD_ADDRESS, rate=200, connections=4, fresh="1s", timeout="10s",
                 requests=None):
        words = [env.client, f"-server=127.0.0.1:{server.port}", f"-local={local}", f"-rate={rate}",
                 f"-connections={connections}", f"-fresh={fresh}", f"-timeout={timeout}", *(requests or env.requests)]
        self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the well-behaved client got no first answers")

    def phase(self, name, seconds=0):
        """Starts a phase, and waits."""
        self.say(f"phase {name}")
        time.sleep(seconds)

    def burst(self, count):
        """Sends so many requests at once, each over a new connection."""
        self.say(f"burst {count}")

    def say(self, command):
        self.process.stdin.write(command + "\n")
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
    """Requests /healthz every 100 ms over a new connection, and samples the memory of the server."""

    def __init__(self, server):
        self.server = server
        self.times, self.failures, self.memory = [], [], []
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.stopped.wait(0.1):
            self.memory.append(self.server.memory("VmRSS"))
            start = time.monotonic()
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.server.admin_port, timeout=5)
                connection.request("GET", "/healthz")
                response = connection.getresponse()
                if response.status != 200:
                    self.failures.append(f"status {response.status}")
                connection.close()
            except OSError as error:
                self.failures.append(type(error).__name__)
            self.times.append(time.monotonic() - start)

    def longest(self):
        return max(self.times, default=0)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()
