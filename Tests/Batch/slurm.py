#!/usr/bin/env python3
"""Runs Examples/slurm on a Slurm of its own, and compares the outputs with those of a single run.

One part is killed and continues, another one is requeued with `scontrol requeue`. The controller, the node daemon and munge run
as the caller, listen on the loopback interface only, and have all files in a temporary folder.
"""
import argparse
import contextlib
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import tempfile
import time

import library

EXAMPLE = library.ROOT / "Examples/slurm"
KILLED, REQUEUED = 3, 5
CONFIGURATION = """\
ClusterName=undertext
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=0
# More processors than there are, so that all parts run at once.
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=32 RealMemory=16384
PartitionName=all Nodes={host} Default=YES
"""


def wait(condition, what, seconds=300):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    library.fail(f"{what}: not after {seconds} s")


def show_logs(folder):
    """Prints the ends of what daemons or jobs printed."""
    for log in sorted(folder.glob("*.out")):
        print(f"== {log.name}\n{log.read_text(errors='replace')[-2000:]}")


def free_ports(count):
    """Ports that are free now."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@contextlib.contextmanager
def cluster(folder):
    """A controller and a node; gives the environment of its commands."""
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    key = folder / "munge.key"
    key.touch(0o600)
    key.write_bytes(os.urandom(1024))
    user = library.run("id", "-un").stdout.strip()
    configuration = folder / "slurm.conf"
    configuration.write_text(CONFIGURATION.format(
        host=socket.gethostname().split(".")[0], user=user, folder=folder, ports=free_ports(2)))
    environment = dict(os.environ, SLURM_CONF=str(configuration))
    environment["PATH"] += ":/usr/sbin:/sbin"
    daemons = []

    def start(*words):
        with open(folder / f"{words[0]}.out", "wb") as log:
            daemons.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment))

    try:
        # The temporary folder is closed to others, of which munge would warn otherwise.
        start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket",
              f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed",
              "--num-threads=10")
        wait((folder / "munge.socket").exists, "munged starts")
        start("slurmctld", "-D", "-i")
        start("slurmd", "-D")
        idle = ["sinfo", "--noheader", "--format=%T"]
        wait(lambda: "idle" in subprocess.run(idle, env=environment, capture_output=True, text=True, check=False).stdout,
             "the node registers")
        yield environment
    except BaseException:
        show_logs(folder)
        raise
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()


def process(configuration, is_wanted):
    """The number of a process of the cluster that fits; `None` if there is none."""
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            variables = (entry / "environ").read_bytes().split(b"\0")
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if f"SLURM_CONF={configuration}".encode() in variables and is_wanted(variables, words):
                return int(entry.name)
    return None


def process_of(part, configuration):
    """The process that works on a part."""
    return process(configuration, lambda variables, words: (
        f"SLURM_ARRAY_TASK_ID={part}".encode() in variables and words[1:3] == [b"batch", b"run"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=library.ROOT / ".build/release/undertext", type=pathlib.Path)
    parser.add_argument("--files", default=2000, type=int)
    parser.add_argument("--parts", default=8, type=int)
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        media = library.make(folder / "media", options.files, library.SMALL)
        single, output = folder / "single", folder / "output"
        library.run(options.command, "batch", "run", media, "-o", single / "subtitles", "--journal", single / "journal",
                    "--report", single / "report.jsonl", codes=(0, 3))
        (folder / "bin").mkdir()
        (folder / "tmp").mkdir()
        # Two parts read slowly in their first attempt, so that they are in work when they are ended.
        command = folder / "bin/undertext"
        command.write_text(f"""\
#!/bin/sh
case ${{SLURM_RESTART_COUNT:-0}}/${{SLURM_ARRAY_TASK_ID:-}} in
    0/{KILLED} | 0/{REQUEUED}) set -- "$@" --max-read-rate 20K ;;
esac
exec {shlex.quote(str(options.command))} "$@"
""")
        command.chmod(0o755)
        with cluster(folder / "slurm") as environment:
            environment["PATH"] = f"{folder}/bin:{environment['PATH']}"
            environment["TMPDIR"] = str(folder / "tmp")
            submitted = library.run("sh", EXAMPLE / "plan.sh", options.parts, output, media, env=environment, cwd=folder)
            array, merge = (line.split()[-1] for line in submitted.stdout.splitlines())

            def show(job):
                text = library.run("scontrol", "show", "job", job, env=environment).stdout
                return dict(word.split("=", 1) for word in text.split() if "=" in word)

            def lines(part):
                log = output / f"journals/{part}.log"
                return log.exists() and log.read_bytes().count(b'"record"') > 1

            pending = {}

            def starts_again(job):
                found = show(job)
                step = f"slurmstepd: [{found['JobId']}.".encode()
                if found["JobState"] == "PENDING" and not process(
                        environment["SLURM_CONF"], lambda _, words: words[0].startswith(step)):
                    # Slurm would wait for two minutes. In the second in which the first attempt ended, the node refuses another one.
                    if time.monotonic() - pending.setdefault(job, time.monotonic()) > 3:
                        subprocess.run(["scontrol", "update", f"JobId={job}", "StartTime=now"], env=environment,
                                       capture_output=True, check=False)
                return found["Restarts"] == "1" and found["JobState"] in ("RUNNING", "COMPLETED", "FAILED")

            wait(lambda: lines(KILLED), "the part that is killed works")
            os.kill(wait(lambda: process_of(KILLED, environment["SLURM_CONF"]), "its process"), signal.SIGKILL)
            wait(lambda: lines(REQUEUED), "the part that is requeued works")
            library.run("scontrol", "requeue", f"{array}_{REQUEUED}", env=environment)
            for part in (KILLED, REQUEUED):
                wait(lambda part=part: starts_again(f"{array}_{part}"), f"part {part} starts again")
            wait(lambda: show(merge)["JobState"] in ("COMPLETED", "FAILED"), "the journals are merged")
            restarts = {part: show(f"{array}_{part}")["Restarts"] for part in range(1, options.parts + 1)}
            states = library.run("scontrol", "show", "job", env=environment).stdout
        try:
            compare(folder, restarts, options)
        except BaseException:
            show_logs(folder)
            print(states)
            raise
    print(f"{options.files} files in {options.parts} parts, {time.monotonic() - began:.0f} s: equal to a single run")


def compare(folder, restarts, options):
    """Fails if the outputs or the report of the parts differ from those of a single run, or if something is left."""
    single, output = folder / "single", folder / "output"
    if restarts != {part: "1" if part in (KILLED, REQUEUED) else "0" for part in restarts}:
        library.fail(f"restarts by part: {restarts}")
    library.expect_equal(single / "subtitles", output / "subtitles")
    one, all_parts = library.records(single / "report.jsonl"), library.records(output / "report.jsonl")
    inputs = sorted((record["input"], record["outcome"]) for record in all_parts[:-1])
    if inputs != sorted((record["input"], record["outcome"]) for record in one[:-1]) or len(inputs) != options.files:
        library.fail("the merged report differs from that of a single run")
    if all_parts[-1]["outcomes"] != one[-1]["outcomes"] or all_parts[-1]["missing"] != 0:
        library.fail(f"the summaries differ: {one[-1]} {all_parts[-1]}")
    if left := [path.name for path in (folder / "tmp").iterdir()]:
        library.fail(f"left on the node: {left}")


if __name__ == "__main__":
    main()
