"""SPDX licence expressions from Debian's copyright files.

Most are machine-readable: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/. A licence that SPDX has no
identifier for becomes a LicenseRef with its text.
"""

import re
from dataclasses import dataclass, field

# Packages whose copyright file is prose: what it says about the shared libraries.
PROSE = {
    "glibc": "LGPL-2.1-or-later",
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
}
IDENTIFIERS = {name.lower(): name for name in (
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSD-4-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "Unlicense", "X11",
    "Zlib")} | {"expat": "MIT", "cc0": "CC0-1.0", "boost-1.0": "BSL-1.0", "artistic": "Artistic-1.0-Perl"}


@dataclass
class Licence:
    expression: str = "NOASSERTION"
    texts: dict = field(default_factory=dict)  # of each LicenseRef


def licence_of(source, copyright_file):
    """The licences of all files of a source package but its packaging."""
    paragraphs = parsed(copyright_file.decode(errors="replace"))
    if paragraphs is None:
        return Licence(PROSE.get(re.sub(r"-\d+$", "", source), "NOASSERTION"))
    texts = {}
    for paragraph in paragraphs:
        name, _, text = paragraph.get("license", "").partition("\n")
        if text.strip():
            texts.setdefault(name.strip().lower(), text)
    expressions, references = set(), {}
    for paragraph in paragraphs:
        files = paragraph.get("files", "").split()
        short = paragraph.get("license", "").partition("\n")[0]
        if short and files and not all(path.startswith("debian/") for path in files):
            found = expression(short, source, references)
            expressions.update([found] if " OR " in found else found.split(" AND "))
    result = Licence(texts={reference: texts.get(name.lower(), name) for reference, name in sorted(references.items())})
    if expressions:
        several = len(expressions) > 1
        result.expression = " AND ".join(f"({each})" if several and " OR " in each else each for each in sorted(expressions))
    return result


def parsed(text):
    """The paragraphs as {field in lower case: value}; None if the file is prose."""
    if not re.match(r"Format(-Specification)?:\s*\S*copyright-format", text, re.I):
        return None
    paragraphs = []
    for block in re.split(r"\n[ \t]*\n", text):
        fields = {}
        for line in block.splitlines():
            if line[:1] in (" ", "\t") and fields:
                fields[name] += "\n" + line.strip()
            elif match := re.match(r"([A-Za-z-]+):\s*(.*)", line):
                name = match.group(1).lower()
                fields[name] = match.group(2)
        paragraphs.append(fields)
    return paragraphs


def expression(short, source, references):
    """The SPDX form of "A or B and C". "and" binds tighter than "or", and looser after a comma."""
    def joined(separator, operator, part, inner):
        return f" {operator} ".join(inner(each) for each in re.split(separator, part, flags=re.I))

    def conjunction(part):
        return joined(r"\s+and\s+", "AND", part, lambda name: identifier(name.strip(), source, references))

    def alternatives(part):
        found = joined(r",?\s+or\s+", "OR", part, conjunction)
        return f"({found})" if " OR " in found and re.search(r",\s+and\s+", short) else found

    return joined(r",\s+and\s+", "AND", short, alternatives)


def identifier(name, source, references):
    """The identifier of SPDX, or one of our own, which is added to `references`: the same name is another text elsewhere."""
    if known := IDENTIFIERS.get(name.lower()):
        return known
    if match := re.fullmatch(r"([AL]?GPL|GFDL)-(\d)(?:\.(\d))?(\+?)", name, re.I):
        family, major, minor, later = match.groups()
        return f"{family.upper()}-{major}.{minor or 0}-{'or-later' if later else 'only'}"
    reference = "LicenseRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", f"{source}-{name}").strip("-")
    references[reference] = name
    return reference
