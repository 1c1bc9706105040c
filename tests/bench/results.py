"""The results of a run, as bench.py measured them."""

SATURATED = 0.95  # of its core; below it a server waited for the generator, and CPU time per request is compared


class Results:
    def __init__(self, raw):
        self.raw = raw
        self.roles = raw["roles"]
        self.rows = {(r["candidate"], r["size"], r["hook"], r["verdict"], r["connections"]): r
                     for r in raw["throughput"] + raw["connections"]}
        self.footprint = {row["candidate"]: row for row in raw["footprint"]}

    def names(self, role):
        return [name for name, its in self.roles.items() if its == role]

    def row(self, name, size, hook="validate", verdict="refused", connections=8):
        """One measurement, or that of the hook "any" if the candidate has no other."""
        return self.rows.get((name, size, hook, verdict, connections)) or \
            self.rows.get((name, size, "any", "refused", connections))

    def cells(self):
        """Each (candidate, hook, verdict) that was measured at 8 connections, in order."""
        return list(dict.fromkeys((row["candidate"], row["hook"], row["verdict"]) for row in self.raw["throughput"]))


def ratio(a, b):
    """How many times faster a is than b: by throughput if both saturated their core, else by CPU time per request."""
    if min(a["server_core"], b["server_core"]) >= SATURATED:
        return a["per_second"] / b["per_second"]
    return b["server_cpu_us"] / a["server_cpu_us"]
