#!/usr/bin/env python3
"""Writes the SBOM of the artifacts as CycloneDX JSON: Packaging/sbom.py BUILD DIST OUTPUT PARTS...

BUILD is the folder .build of a release build, DIST the folder of the artifacts, whose SHA-256 sums become part of it, and each
of PARTS a list of Debian packages: those that Packaging/portable/build.sh bundles, and those of the container image. The
document is checked against the schema of CycloneDX.
"""
import hashlib
import json
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import urlparse

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.validation.json import JsonStrictValidator
from cyclonedx.schema import SchemaVersion
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]


def undertext():
    """Returns the component that everything is a part of."""
    source = (ROOT / "Sources/Undertext/Version.swift").read_text(encoding="utf-8")
    version = re.search(r'undertextVersion = "([^"]+)"', source)[1]
    return Component(
        name="undertext", version=version, type=ComponentType.APPLICATION, bom_ref="undertext",
        licenses=[LicenseFactory().make_from_string("Apache-2.0")],
    )


def debian(paths):
    """Returns the parts that come from Debian packages."""
    components = {}
    for line in (line for path in paths for line in Path(path).read_text(encoding="utf-8").splitlines()):
        source, version, part = line.split("\t")
        purl = PackageURL("deb", "debian", source, version, {"arch": "source"})
        components[purl.to_string()] = Component(
            name=source, version=version, type=ComponentType.LIBRARY, purl=purl, bom_ref=purl.to_string(),
            description=f"as in the package {part}",
        )
    return list(components.values())


def linked(build):
    """Returns the modules whose objects the command and the C library are linked from."""
    lists = [build / "release" / f"{product}.product/Objects.LinkFileList" for product in ("undertext", "UndertextC")]
    return {module for path in lists for module in re.findall(r"/(\w+)\.build/", path.read_text(encoding="utf-8"))}


def swift(build):
    """Returns the Swift packages that are linked in, and the toolchain, because its runtime is linked in."""
    components = []
    state = json.loads((build / "workspace-state.json").read_text(encoding="utf-8"))
    modules = linked(build)
    for dependency in state["object"]["dependencies"]:
        # SwiftPM resolves packages of traits that are off, too.
        sources = build / "checkouts" / dependency["subpath"] / "Sources"
        if not any((sources / module).is_dir() for module in modules):
            continue
        location = dependency["packageRef"]["location"]
        checkout = dependency["state"]["checkoutState"]
        version = checkout.get("version") or checkout["revision"]
        address = urlparse(location)
        folder, name = address.path.removesuffix(".git").strip("/").rsplit("/", 1)
        purl = PackageURL("swift", f"{address.netloc}/{folder}", name, version)
        components.append(
            Component(
                name=name, version=version, type=ComponentType.LIBRARY, purl=purl, bom_ref=purl.to_string(),
                external_references=[ExternalReference(type=ExternalReferenceType.VCS, url=XsUri(location))],
            )
        )
    text = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\S+)", text)[1]
    purl = PackageURL("swift", "github.com/swiftlang", "swift", version)
    components.append(
        Component(
            name="swift", version=version, type=ComponentType.LIBRARY, purl=purl, bom_ref=purl.to_string(),
            licenses=[LicenseFactory().make_from_string("Apache-2.0 WITH Swift-exception")],
        )
    )
    return components


def artifacts(folder):
    """Returns the files that are published."""
    components = []
    for path in sorted(Path(folder).iterdir()):
        if not path.is_file() or path.name == "SHA256SUMS" or path.name.endswith((".cdx.json", ".md")):
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        components.append(
            Component(
                name=path.name, type=ComponentType.FILE, bom_ref=f"file:{path.name}",
                hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
            )
        )
    return components


def main():
    """Writes the document."""
    build, folder, output, *lists = sys.argv[1:]
    bom = Bom()
    epoch = subprocess.run(
        ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True
    ).stdout
    bom.metadata.timestamp = datetime.fromtimestamp(int(epoch), timezone.utc)
    bom.metadata.component = undertext()
    parts = debian(lists) + swift(Path(build))
    for component in parts + artifacts(folder):
        bom.components.add(component)
    bom.register_dependency(bom.metadata.component, parts)
    text = JsonV1Dot6(bom).output_as_string(indent=1)
    problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if problem:
        sys.exit(f"sbom.py: {problem}")
    Path(output).write_text(text + "\n", encoding="utf-8")
    print(f"{output}: {len(parts)} parts, {len(bom.components) - len(parts)} files")


if __name__ == "__main__":
    main()
