"""A scenario is an attack or a fault. Its result is a list of claims: a promise, what was seen, and whether it was kept."""

from dataclasses import dataclass, field

SCENARIOS = []


@dataclass
class Claim:
    """A timed claim depends on the speed of the machine: --quick does not fail on it."""

    promise: str
    seen: str
    held: bool
    timed: bool = False


@dataclass
class Result:
    tried: str = ""
    claims: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def claim(self, promise, seen, held, timed=False):
        self.claims.append(Claim(promise, str(seen), bool(held), timed))

    def claim_alive(self, server):
        alive = server.is_alive()
        self.claim("alive", "alive" if alive else f"exited with {server.process.returncode}", alive)
        return alive

    def failed(self, quick):
        return [claim for claim in self.claims if not claim.held and not (quick and claim.timed)]


@dataclass
class Scenario:
    name: str
    theme: str  # the name of its module
    title: str
    run: object
    quick: bool  # part of --quick


def fault(name, title, quick=True):
    """Registers `run(env, result)`, which starts its own server."""
    def register(function):
        SCENARIOS.append(Scenario(name, function.__module__, title, function, quick))
        return function
    return register
