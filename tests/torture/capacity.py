"""More requests than the server can judge: throughput beyond capacity, and latency afterwards."""

import time
from pathlib import Path

from clients import GoodClient
from scenario import fault
from server import Server

CONNECTIONS = 2000  # so many that a queue of them takes longer than the timeout
TIMEOUT = "1s"  # also sent to the server
PERIOD_US, QUOTA_US = 5000, 1250  # a quarter of a core, so that the same machine can offer four times the capacity
SHARES = [0.5, 1, 2, 4]  # of the capacity


class CpuLimit:
    """Limits a server to a quarter of a core, if a cgroup of version 1 or 2 can be used."""

    def __init__(self, server, name):
        self.path = None  # of our own cgroup of version 1
        self.active = self.limit_v1(Path("/sys/fs/cgroup/cpu") / name, server.pid) or self.limit_v2(server.cgroup)

    def limit_v1(self, path, pid):
        try:
            path.mkdir(exist_ok=True)
            (path / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (path / "cpu.cfs_quota_us").write_text(str(QUOTA_US))
            (path / "cgroup.procs").write_text(str(pid))
        except OSError:
            return False
        self.path = path
        return True

    def limit_v2(self, cgroup):
        try:
            (cgroup.path / "cpu.max").write_text(f"{QUOTA_US} {PERIOD_US}")
            return True
        except (OSError, AttributeError):
            return False

    def remove(self):
        if self.path:
            self.path.rmdir()


def offer_load(env, server, rate, seconds, connections=CONNECTIONS):
    """Counts of a client that sends `rate` requests of 64 KB per second."""
    large = [request for request in env.requests if "large" in request]
    with GoodClient(env, server, rate=rate, connections=connections, fresh="0", timeout=TIMEOUT,
                    requests=large) as client:
        time.sleep(1)
        client.phase("run", seconds)
        client.phase("end")
        return client.finish()["run"]


@fault("capacity", "the same request at 0.5 to 4 times the capacity of the server", quick=False)
def capacity(env, result):
    seconds = env.seconds(3)
    with Server(env, {"--log-level": "off"}) as server:
        limit = CpuLimit(server, f"winadmit-torture-{server.pid}")
        try:
            most = offer_load(env, server, 20_000, 2, 16)["right"] / 2
            light = max(most / 4, 10)
            before = offer_load(env, server, light, 2, 16)
            rows = [(share, offer_load(env, server, most * share, seconds)) for share in SHARES]
            time.sleep(2)
            after = offer_load(env, server, light, 2, 16)
        finally:
            alive = server.is_alive()
            server.kill()
            limit.remove()
    result.tried = (f"64 KB, {CONNECTIONS:,} connections, ?timeout={TIMEOUT}, capacity {most:,.0f}/s"
                    + (" on a quarter of a core" if limit.active else ""))
    claim_curve(result, rows, seconds, most, alive)
    result.claim("afterwards as before", f"p99 {before['p99_ms']:.1f} ms before, {after['p99_ms']:.1f} ms after, "
                 f"{after['right']} of {after['asked']} right",
                 after["right"] == after["asked"] and after["p99_ms"] <= 3 * max(before["p99_ms"], 1), timed=True)


def claim_curve(result, rows, seconds, most, alive):
    def late(row):
        return row["failures"].get("timeout", 0)

    curve = "; ".join(f"{share}x: {row['right'] / seconds:,.0f}/s right, {row['busy'] / seconds:,.0f}/s 503, "
                      f"{late(row) / seconds:,.0f}/s late, p99 {row['p99_ms']:.0f} ms, {row['sent_p99_ms']:.0f} ms "
                      f"from the send" for share, row in rows)
    wrong = sum(row["wrong"] for _, row in rows)
    result.claim("alive, no wrong answer", f"{curve}; {wrong} wrong", alive and not wrong)
    half, highest = rows[0][1], rows[-1][1]
    result.claim("half the capacity is served whole", f"{half['right']} of {half['asked']} right at 0.5x "
                 f"{half['failures'] or ''}", half["right"] == half["asked"], timed=True)
    asked = sum(row["right"] + row["busy"] + late(row) for _, row in rows)
    late_share = sum(late(row) for _, row in rows) / max(asked, 1)
    result.claim("the queue is no longer than the timeout", f"{late_share:.1%} late", late_share <= 0.05, timed=True)
    share = highest["right"] / seconds / most
    result.claim("four times the load leaves 70 % of capacity", f"{share:.0%} at 4x", share >= 0.7, timed=True)
