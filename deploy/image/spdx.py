"""The bill of materials as SPDX 2.3 JSON: winadmit, the libraries that it loads, and those compiled into it."""

import datetime
import hashlib
import json
import re

import licenses


def document(version, binary, loaded, compiled_in, system, epoch):
    digest = hashlib.sha256(binary).hexdigest()
    packages = sorted(set(loaded) | set(compiled_in))
    found = {package: licenses.licence_of(package.source, system.copyright_of(package)) for package in packages}
    texts = {reference: text for licence in found.values() for reference, text in licence.texts.items()}
    own = {"SPDXID": "SPDXRef-winadmit", "name": "winadmit", "versionInfo": version, "supplier": "NOASSERTION",
           "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "primaryPackagePurpose": "APPLICATION",
           "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
           "licenseConcluded": "NOASSERTION", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
           "externalRefs": [purl(f"pkg:generic/winadmit@{version}?arch={system.architecture}")]}
    relationships = [relationship("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    relationships += [relationship(own["SPDXID"], "DYNAMIC_LINK", identifier(package)) for package in loaded]
    relationships += [relationship(own["SPDXID"], "STATIC_LINK", identifier(package)) for package in compiled_in]
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"winadmit-{version}-{system.architecture}",
        "documentNamespace": f"https://spdx.org/spdxdocs/winadmit-{version}-{digest}",
        "creationInfo": {"created": rfc3339(epoch), "creators": ["Tool: winadmit-image"]},
        "packages": [own] + [described(package, found[package].expression) for package in packages],
        "relationships": relationships,
        "hasExtractedLicensingInfos": [{"licenseId": reference, "extractedText": text} for reference, text in sorted(texts.items())],
    }, indent=2).encode() + b"\n"


def described(package, licence):
    return {"SPDXID": identifier(package), "name": package.name, "versionInfo": package.version,
            "supplier": f"Organization: Debian ({package.maintainer})", "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "sourceInfo": f"built from {package.source} {package.source_version}",
            "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "externalRefs": [purl(package.purl)]}


def purl(locator):
    return {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}


def relationship(element, kind, related):
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}


def identifier(package):
    return "SPDXRef-deb-" + re.sub(r"[^A-Za-z0-9.-]", "-", package.name)


def rfc3339(epoch):
    return datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
