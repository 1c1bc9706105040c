"""More requests than the server can judge: the curve past capacity, and what is left of it afterwards."""

import time
from pathlib import Path

from attack import fault
from clients import GoodClient
from server import Server

CONNECTIONS = 2000  # so many that a queue of them is longer than the timeout
TIMEOUT = "1s"  # also told to the server
PERIOD_US, QUOTA_US = 5000, 1250  # a quarter of a core, so that the same machine can ask four times as much
SHARES = [0.5, 1, 2, 4]


class SmallProcessor:
    """A CPU limit of a quarter of a core, where the cgroup's version 1 or 2 lets us."""

    def __init__(self, server, name):
        self.path = None
        for root, files in ((Path("/sys/fs/cgroup/cpu"), {"cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": QUOTA_US}),
                            (getattr(server.cgroup, "path", None), {"cpu.max": f"{QUOTA_US} {PERIOD_US}"})):
            try:
                path = root / name if "cpu.max" not in files else root
                path.mkdir(exist_ok=True)
                for file, value in files.items():
                    (path / file).write_text(str(value))
                if path != root:
                    (path / "cgroup.procs").write_text(str(server.pid))
                    self.path = path
                self.limited = True
                return
            except (OSError, TypeError):
                pass
        self.limited = False

    def remove(self):
        if self.path:
            self.path.rmdir()


def offered(env, server, rate, seconds, connections=CONNECTIONS):
    large = [request for request in env.requests if "large" in request]
    with GoodClient(env, server, rate=rate, connections=connections, fresh="0", timeout=TIMEOUT,
                    requests=large) as client:
        time.sleep(1)
        client.phase("run")
        time.sleep(seconds)
        client.phase("end")
        return client.finish()["run"]


@fault("capacity", "the same request at 0.5 to 4 times what the server can judge", quick=False)
def capacity(env, result):
    seconds = env.seconds(3)
    with Server(env, {"--log-level": "off"}) as server:
        small = SmallProcessor(server, f"winadmit-torture-{server.pid}")
        try:
            most = offered(env, server, 20_000, 2, 16)["right"] / 2
            undisturbed = offered(env, server, max(most / 4, 10), 2, 16)
            rows = [(share, offered(env, server, most * share, seconds)) for share in SHARES]
            time.sleep(2)
            afterwards = offered(env, server, max(most / 4, 10), 2, 16)
        finally:
            alive = server.alive()
            if alive:
                server.process.kill()
                server.process.wait()
            small.remove()
    result.tried = f"64 KB, {CONNECTIONS:,} connections, ?timeout={TIMEOUT}, capacity {most:,.0f}/s" + (" on a quarter of a core" if small.limited else "")
    curve = "; ".join(f"{share}x: {one['right'] / seconds:,.0f}/s right, {one['busy'] / seconds:,.0f}/s 503, "
                      f"p99 {one['p99_ms']:.0f} ms" for share, one in rows)
    wrong = sum(one["wrong"] for _, one in rows)
    result.claim("alive, no wrong answer", f"{curve}; {wrong} wrong", alive and not wrong)
    half = rows[0][1]
    result.claim("half the capacity is served whole", f"{half['right']} of {half['asked']} right at 0.5x "
                 f"{half['failures'] or ''}", half["right"] == half["asked"], timed=True)
    result.claim("four times the load leaves 70 % of capacity", f"{rows[-1][1]['right'] / seconds / most:.0%} at 4x",
                 rows[-1][1]["right"] / seconds >= 0.7 * most, timed=True)
    result.claim("afterwards as before", f"p99 {undisturbed['p99_ms']:.1f} ms before, {afterwards['p99_ms']:.1f} ms after, "
                 f"{afterwards['right']} of {afterwards['asked']} right",
                 afterwards["right"] == afterwards["asked"]
                 and afterwards["p99_ms"] <= 3 * max(undisturbed["p99_ms"], 1), timed=True)
