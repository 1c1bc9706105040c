"""How a release was made, as an in-toto statement with a SLSA v1 predicate: the builder, the revision, and the materials.

https://slsa.dev/spec/v1.0/provenance. It has no times: the same source and packages give the same statement.
"""

import json
import re
import shutil

import debian

HOME = "https://winadmit.dev"
TOOLS = ("g++", "ld", "readelf", "strip", "cmake", "ninja", "buildah")  # of the build machine


def statement(version, revision, source, epoch, builder, systems, sboms, subjects):
    """`systems` and `sboms` are by architecture, `subjects` are {name: SHA-256}."""
    repository = {"name": "winadmit", "digest": {"gitCommit": revision}}
    if source:
        repository["uri"] = f"git+{source}@{revision}"
    materials = [repository]
    for architecture, system in systems.items():
        materials += packages(system, [each["externalRefs"][0]["referenceLocator"] for each in json.loads(sboms[architecture])["packages"]])
    native = debian.System(debian.native_architecture())
    tools = {native.real(path) for name in TOOLS for triplet in ["", *(f"{debian.TRIPLETS[each]}-" for each in systems)]
             if (path := shutil.which(triplet + name))}
    materials += packages(native, [package.purl for package in native.packages_of(tools)])
    materials = [repository, *sorted({json.dumps(each): each for each in materials[1:]}.values(), key=lambda each: each["uri"])]
    return json.dumps({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in sorted(subjects.items())],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": f"{HOME}/make-release/v1",
                "externalParameters": {"version": version, "architectures": list(systems)},
                "internalParameters": {"debian": debian.release(), "SOURCE_DATE_EPOCH": epoch},
                "resolvedDependencies": materials,
            },
            "runDetails": {"builder": {"id": builder}},
        },
    }, indent=2) + "\n"


def packages(system, purls):
    """Debian packages as resource descriptors, with the checksum of the .deb, where dpkg or apt knows it."""
    purls = [purl for purl in purls if purl.startswith("pkg:deb/")]
    names = [re.match(r"pkg:deb/debian/([^@]+)@", purl).group(1).replace("%2B", "+") for purl in purls]
    checksums = system.checksums(names)
    return [{"uri": purl} | ({"digest": {"sha256": checksums[name]}} if name in checksums else {}) for purl, name in zip(purls, names)]
