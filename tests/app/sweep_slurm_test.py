#!/usr/bin/env python3
"""`cutaway sweep --engine slurm` on a real Slurm of two nodes, which this test starts for itself.

munged, slurmctld and two slurmd run on this machine with a configuration, ports and keys of their own, in a temporary
folder, and listen on the loopback interface only. Skipped where Slurm is not installed, or to users other than root.
"""
import contextlib
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time
from unittest import mock

from command_case import main, options
from sweep_test import POINTS, SWEEP, SweepTest

CONFIGURATION = """
ClusterName=cutaway
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=0,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=5
InactiveLimit=0
KillWait=1
MinJobAge=10
MessageTimeout=5
JobRequeue=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""
SMALL = SWEEP.replace("[1, 2, 4, 8]", "[1]").replace("128", "32")
PR_SET_CHILD_SUBREAPER = 36


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]


def processes():
    """Number, parent, command and environment of each."""
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            parent = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
            yield (int(path.name), parent, (path / "cmdline").read_bytes().decode(errors="replace"),
                   (path / "environ").read_bytes().decode(errors="replace").split("\0"))


class Cluster:
    """Daemons are children of this process, or become so when they detach: it ends what it has started."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = {}
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        (folder / "state").mkdir()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(folder=folder, ports=free_ports(3)))
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o600)
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        self.start("munged", "--foreground", "--force", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket",
                   f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log",
                   f"--seed-file={folder}/munge.seed", "--num-threads=2")
        self.wait(lambda: (folder / "munge.socket").exists(), "munged")
        self.start("slurmctld", "-D")
        for node in ("n1", "n2"):
            self.start_node(node)
        self.wait(lambda: self.idle() == 2, "nodes")

    def start(self, name, *arguments, key=None):
        with (self.folder / f"{key or name}.output").open("w") as output:
            self.daemons[key or name] = subprocess.Popen([name, *arguments], stdout=output, stderr=output)

    def start_node(self, node):
        self.start("slurmd", "-D", "-N", node, key=node)

    def idle(self):
        shown = subprocess.run(["sinfo", "--noheader", "--Node", "--format=%T"], capture_output=True, text=True)
        return shown.stdout.split().count("idle")

    def wait(self, condition, what):
        until = time.monotonic() + 30
        while not condition():
            if time.monotonic() > until:
                logs = "\n".join(path.read_text()[-2000:] for path in self.folder.glob("*.log"))
                raise RuntimeError(f"Slurm does not start: {what}\n{logs}")
            time.sleep(0.1)

    def kill_node(self, node):
        """As if its power failed: daemon, step managers, and all that tasks have started."""
        self.daemons[node].kill()
        tasks = [entry for entry in processes() if f"SLURMD_NODENAME={node}" in entry[3]]
        managers = [entry[0] for entry in processes()
                    if entry[0] in {task[1] for task in tasks} and entry[2].startswith("slurmstepd")]
        for process in [*managers, *(task[0] for task in tasks)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.daemons.pop(node).wait()
        return len(tasks)

    def close(self):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(["scancel", "--user=root"], timeout=10, capture_output=True)
        for name in ("n1", "n2", "slurmctld", "munged"):
            if name in self.daemons:
                self.daemons[name].terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for process, parent, command, _ in list(processes()):  # step managers that have detached
            if parent == os.getpid() and command.startswith("slurmstepd"):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


class SlurmSweeps(SweepTest):
    def setUp(self):
        super().setUp()
        (self.folder / "cluster").mkdir()
        self.cluster = Cluster(self.folder / "cluster")
        self.addCleanup(self.cluster.close)

    def sweep(self, *more):
        return ("sweep", self.sweep_file(), "--engine", "slurm", "--quiet", *more)

    def test_a_node_is_killed(self):
        process = self.start(*self.sweep())
        self.wait_for_results(process, 12)
        # Between two tasks there is nothing to kill.
        until = time.monotonic() + 30
        while not any("SLURMD_NODENAME=n2" in entry[3] and "sweep-point" in entry[2] for entry in processes()):
            self.assertLess(time.monotonic(), until, "no task on n2")
        killed = self.cluster.kill_node("n2")
        self.assertLess(self.rows("SELECT count(*) FROM result")[0][0], POINTS, "it was not in the middle")
        output, errors = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0, errors + output)
        slurm = next(line for line in output.splitlines() if line.startswith("results: "))
        self.assertEqual(slurm, self.whole())
        self.check_attempts()
        [(lost,)] = self.rows("SELECT count(*) FROM attempt WHERE outcome = 'lost'")
        print(f"\n{killed} processes of a node killed; {lost} attempts lost; {output.splitlines()[0]}; {slurm}")

    def test_an_ended_sweep_goes_on(self):
        process = self.start(*self.sweep())
        self.wait_for_results(process, 6)
        process.kill()  # its tasks go on
        process.communicate()
        process = self.start(*self.sweep())
        self.wait_for_results(process, 16)
        arrays = [path.name for path in (self.folder / "out/s/queue/slurm").iterdir() if path.suffix != ".log"]
        self.assertEqual(arrays, ["1"], "tasks that were at work are submitted again")
        process.send_signal(signal.SIGINT)  # its tasks end with it
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn("interrupted", errors)
        left = subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(left, "")
        self.assertLess(self.rows("SELECT count(*) FROM result")[0][0], POINTS, "it was not in the middle")
        # The rest here.
        self.assertEqual(self.results(self.call("sweep", "s.toml", "--quiet")), self.whole())
        self.check_attempts()
        self.assertEqual(self.rows("SELECT DISTINCT engine FROM attempt ORDER BY engine"), [("local",), ("slurm",)])

    def test_a_task_ends_while_the_sweep_asks_slurm(self):
        """A task that ends between the plan and Slurm's answer is done: it is not submitted again."""
        self.sweep_file(SMALL)
        sweep = ("sweep", "s.toml", "--engine", "slurm", "--quiet")
        process = self.start(*sweep)
        self.wait_for_results(process, 2)
        process.kill()  # its tasks go on
        process.communicate()
        tools = self.folder / "tools"
        tools.mkdir()
        for name, before in (("squeue", "sleep 2"), ("sbatch", f"touch {tools}/submitted")):
            (tools / name).write_text(f'#!/bin/sh\n{before}\nexec {shutil.which(name)} "$@"\n')
            (tools / name).chmod(0o755)
        with mock.patch.dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"):
            process = self.start(*sweep)
        output, errors = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0, errors + output)
        self.assertIn("8 points: 8 finished", output)
        self.assertFalse((tools / "submitted").exists(), "a task that had ended was submitted again")

    def test_tasks_are_cancelled(self):
        """By somebody else: they are submitted again, and in the end given up."""
        self.sweep_file(SMALL)
        process = self.start("sweep", "s.toml", "--engine", "slurm", "--quiet")
        self.wait_for_results(process, 2)
        subprocess.run(["scancel", "--user=root"], check=True)
        output, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, output + errors)
        here = self.results(self.call("sweep", "s.toml", "--out", "here", "--quiet"))
        self.assertIn(here, output)
        self.sweep_file(SMALL + '[slurm]\noptions = ["--begin=now+1hour"]\n')
        process = self.start("sweep", "s.toml", "--engine", "slurm", "--quiet", "--out", "never")
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until:
            subprocess.run(["scancel", "--user=root"], check=True)
            time.sleep(0.2)
        output, errors = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 1, output + errors)
        self.assertIn("8 points: 0 finished; 8 failed", output)
        self.assertIn("ended its task 3 times without a result", output)

    def test_slurm_refuses(self):
        text = SMALL
        self.sweep_file(text + '[slurm]\noptions = ["--partition=nowhere"]\n')
        result = self.call("sweep", "s.toml", "--engine", "slurm", "--quiet")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("sbatch refuses", result.stderr)
        self.assertIn("partition", result.stderr)
        # Without it, and one task at a time.
        self.sweep_file(text)
        slurm = self.results(self.call("sweep", "s.toml", "--engine", "slurm", "--jobs", "1", "--quiet"))
        self.assertEqual(self.results(self.call("sweep", "s.toml", "--out", "here", "--quiet")), slurm)
        times = self.rows("SELECT began, ended FROM attempt ORDER BY began")
        self.assertEqual(len(times), 8)
        self.assertTrue(all(before[1] <= after[0] for before, after in zip(times, times[1:])), times)


if __name__ == "__main__":
    os.environ["PATH"] += ":/usr/sbin"
    missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
    if missing or os.getuid() != 0:
        print("skipped:", f"{', '.join(missing)} not installed" if missing else "Slurm's daemons need root")
        sys.exit(77)
    main(("cutaway", "write-scene"))
