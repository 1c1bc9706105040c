"""The bill of materials as SPDX 2.3 JSON: winadmit, the libraries that it loads, and those compiled into it."""

import hashlib
import json
import re

import oci


def document(name, version, binary, loaded, compiled_in, epoch):
    digest = hashlib.sha256(binary).hexdigest()
    own = {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": version, "supplier": "NOASSERTION",
           "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "primaryPackagePurpose": "APPLICATION",
           "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
           "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
           "externalRefs": [purl(f"pkg:generic/{name}@{version}")]}
    relationships = [relationship("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    relationships += [relationship(own["SPDXID"], "DYNAMIC_LINK", identifier(package)) for package in loaded]
    relationships += [relationship(own["SPDXID"], "STATIC_LINK", identifier(package)) for package in compiled_in]
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}", "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{version}-{digest}",
        "creationInfo": {"created": oci.rfc3339(epoch), "creators": [f"Tool: {name}-image"]},
        "packages": [own] + [described(package) for package in sorted(set(loaded) | set(compiled_in))],
        "relationships": relationships,
    }, indent=2).encode() + b"\n"


def described(package):
    return {"SPDXID": identifier(package), "name": package.name, "versionInfo": package.version,
            "supplier": f"Organization: Debian ({package.maintainer})", "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "sourceInfo": f"built from {package.source} {package.source_version}",
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
            "externalRefs": [purl(package.purl)]}


def purl(locator):
    return {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}


def relationship(element, kind, related):
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}


def identifier(package):
    return "SPDXRef-deb-" + re.sub(r"[^A-Za-z0-9.-]", "-", package.name)
