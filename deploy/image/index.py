#!/usr/bin/python3
"""Joins images of several architectures into one OCI index, without changing their digests:

    deploy/image/index.py --reference docker.io/library/winadmit:0.1.0 --output index.oci.tar amd64.oci.tar arm64.oci.tar
"""

import argparse
import pathlib
import sys

sys.dont_write_bytecode = True  # leave the source tree unchanged
import buildah


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reference", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("archives", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    with buildah.Store() as store:
        store.run("manifest", "create", args.reference)
        for archive in args.archives:
            store.run("manifest", "add", args.reference, f"oci-archive:{archive}")
        digest, index = store.archive(["manifest", "push", "--all", args.reference], args.reference, args.output)
    platforms = ", ".join(each["platform"]["architecture"] for each in index["manifests"])
    print(f"{args.output}: {args.reference}@{digest} for {platforms}")


if __name__ == "__main__":
    main()
