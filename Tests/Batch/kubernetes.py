#!/usr/bin/env python3
"""Validates the manifests of Examples/kubernetes, and runs their commands as the pods of an Indexed Job would."""
import argparse
import os
import pathlib
import re
import tempfile

import kubernetes_validate
import yaml

import library

EXAMPLE = library.ROOT / "Examples/kubernetes"


class Pod:
    """The container of a Job, with folders in place of its volumes."""

    def __init__(self, name, folder):
        self.job = yaml.safe_load((EXAMPLE / name).read_text())
        kubernetes_validate.validate(self.job, kubernetes_validate.latest_version(), strict=True)
        template = self.job["spec"]["template"]["spec"]
        self.container, = template["containers"]
        self.mounts = {mount["mountPath"]: folder / mount["name"] for mount in self.container["volumeMounts"]}
        volumes = {volume["name"]: volume for volume in template["volumes"]}
        if volumes.keys() != {path.name for path in self.mounts.values()}:
            library.fail(f"{name}: the volumes are {sorted(volumes)}")
        self.scratch = [folder / name for name, volume in volumes.items() if "emptyDir" in volume]
        self.folder = folder

    def run(self, codes=(0,), **variables):
        """Runs the command in a new pod: what is not on a persistent volume is empty."""
        for place in self.scratch:
            library.run("rm", "-rf", place)
            place.mkdir()
        words = []
        for word in self.container["command"] + self.container["args"]:
            for name, value in variables.items():
                word = word.replace(f"$({name})", value)
            words.append(re.sub(r"(?<=[= ])/\w+(?=/)", lambda found: str(self.mounts[found.group()]), word))
        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", **variables}
        return library.run(*words, codes=codes, env=environment)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=library.ROOT / ".build/release/undertext", type=pathlib.Path)
    parser.add_argument("--files", default=60, type=int)
    options = parser.parse_args()
    command = options.command.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        media = library.make(folder / "media", options.files, library.SMALL)
        single, shared = folder / "single", folder / "subtitles"
        (shared / "journals").mkdir(parents=True)
        (folder / "bin").mkdir()
        (folder / "bin/undertext").symlink_to(command)
        library.run(command, "batch", "run", media, "-o", single, "--journal", folder / "journal", codes=(0, 3))
        job, merge = Pod("job.yaml", folder), Pod("merge.yaml", folder)
        parts = job.job["spec"]["completions"]
        library.run(command, "batch", "plan", media, "--output", shared, "--manifest", shared / "plan.jsonl",
                    "--shards", parts)
        for index in range(parts - 1):
            job.run(codes=(0, 3), JOB_COMPLETION_INDEX=str(index))
        # A part was left out.
        early = merge.run(codes=(3,))
        missing = [record["input"] for record in library.records(shared / "report.jsonl") if record.get("status") == "missing"]
        if not missing or f"{len(missing)} missing" not in early.stderr or missing[0] not in early.stderr:
            library.fail(f"missing: {missing}, {early.stderr}")
        job.run(codes=(0, 3), JOB_COMPLETION_INDEX=str(parts - 1))
        # A pod of a part that is done knows it, though its journal is gone.
        again = job.run(codes=(0, 3), JOB_COMPLETION_INDEX="0")
        if not again.stderr.endswith(" unchanged\n"):
            library.fail(f"a part was done twice: {again.stderr}")
        job.run(codes=(1,), JOB_COMPLETION_INDEX=str(parts))
        merge.run(codes=(0, 3))
        report = library.records(shared / "report.jsonl")
        inputs = [record["input"] for record in report[:-1]]
        if len(inputs) != options.files or len(set(inputs)) != options.files or report[-1]["missing"] != 0:
            library.fail(f"the report has {len(inputs)} inputs")
        library.expect_equal(single, shared / "out")
    print(f"{options.files} files in {parts} parts: the manifests are valid, the outputs equal those of a single run")


if __name__ == "__main__":
    main()
