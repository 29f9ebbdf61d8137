#!/usr/bin/python3
"""Programs of Debian on Cutaway: captured, shown, verified on the clocked machine.

usage: run.py [--cutaway COMMAND] [--work WORK] [--only TEXT]... [--install] [--write] [--fresh | --again]

For each program of programs.toml, with a home folder of its own and without a display (the command starts Xvfb):

  capture    `cutaway capture --gpu` of one frame
  picture    `cutaway emulate`: WORK/NAME/picture.png, to be looked at; WORK/pictures.png shows all of them
  verify     `cutaway simulate --verify` of the frame
  others     the same on attila, where the capture is for another machine: equal, or why that refuses it

A program whose packages (of Debian, or of npm) are not installed is left out; --install installs them (4 GB for all). Prints a table and
writes WORK/results.json after each program; what is there is not repeated (--fresh repeats it;
--again shows and verifies the kept captures of results of other revisions, and goes on where it was interrupted). --write
makes docs/programs.md from it; rows of programs without a result stay as they are. Exit status: 0 all programs ran and verified, or are known to be stopped by what
programs.toml names; 1 not; 2 bad input.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

import npm_packages

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs/programs.md"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


class Failed(Exception):
    pass


def installed(package):
    """The version of a Debian package, or None."""
    found = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package], capture_output=True, text=True)
    status, _, version = found.stdout.partition(" ")
    return version if status == "installed" else None


def packages_of(program):
    """The packages of a program: each its name, its version or None, and what installs it."""
    debian = [(name, installed(name), f"apt-get install {name}") for name in program.get("packages", [])]
    npm = [(name, npm_packages.installed(name), " ".join(npm_packages.install_command([name]))) for name in program.get("npm", [])]
    return debian + npm


def short_name(name):
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def revision():
    """The commit; "-dirty" if something else than pages has changed since."""
    git = lambda *words: subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True).stdout
    changed = [name for name in git("diff", "--name-only", "HEAD").splitlines() if not name.endswith(".md")]
    return git("describe", "--always", "--exclude=*").strip() + ("-dirty" if changed else "")


def run(command, log, timeout, environment=None):
    """Runs a command of ours; its output goes to a file. Returns seconds. Failed: the line that explains it."""
    start = time.monotonic()
    with open(log, "wb") as out:
        process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                   env=environment, start_new_session=True)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            raise Failed(f"not done after {timeout} s") from None
    if code:
        lines = [ANSI.sub("", line) for line in log.read_text(errors="replace").splitlines()]
        ours = [line for line in lines if line.startswith("cutaway: ")] or [line for line in lines if line.strip()] or [""]
        raise Failed(f"exit code {code}: {ours[-1].removeprefix('cutaway: ')[:300]}")
    return round(time.monotonic() - start, 1)


def text_of(text):
    """The text of a home's file: as given, of the file @NAME of this folder, or what the program !NAME prints."""
    if text.startswith("!"):
        return subprocess.check_output([sys.executable, HERE / text[1:]], text=True)
    return (HERE / text[1:]).read_text() if text.startswith("@") else text


def make_home(program, home):
    (home / "runtime").mkdir(mode=0o700)
    for name, text in program.get("files", {}).items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(text))


def replaced(text, places):
    for name, place in places.items():
        text = text.replace(name, place)
    return text


def program_environment(program, home):
    environment = {name: value for name, value in os.environ.items()
                   if name != "DISPLAY" and not name.startswith(("XDG_", "WAYLAND_", "CUTAWAY_"))}
    environment.update({"HOME": str(home), "XDG_RUNTIME_DIR": str(home / "runtime"), "SDL_AUDIODRIVER": "dummy",
                        "ALSOFT_DRIVERS": "null", "NO_AT_BRIDGE": "1", "LANG": "C.UTF-8",
                        "PATH": os.environ["PATH"] + ":/usr/games"})
    places = {"{home}": str(home), "{npm}": str(npm_packages.modules())}
    for name, value in program.get("environment", {}).items():
        environment[name] = replaced(value, places)
    return environment


def gpu_of(program):
    return program.get("gpu", "attila")


class Trial:
    """One program's run: what happened goes to `result`."""

    def __init__(self, program, options):
        self.program, self.options = program, options
        self.folder = options.work / short_name(program["name"])
        self.file = self.folder / "capture.cutaway"
        self.result = {"name": program["name"], "date": datetime.date.today().isoformat(), "revision": revision(),
                       "version": packages_of(program)[0][1], "frame": program["frame"]}

    def capture(self):
        frame = self.program["frame"]
        with tempfile.TemporaryDirectory(prefix="cutaway-home-", ignore_cleanup_errors=True) as name:
            home = pathlib.Path(name)
            make_home(self.program, home)
            command = [replaced(part, {"{home}": name, "{npm}": str(npm_packages.modules())}) for part in self.program["command"]]
            self.result["capture_seconds"] = run(
                [self.options.cutaway, "capture", "-o", self.file, "--gpu", gpu_of(self.program), "--frames", f"{frame}..{frame}", "--",
                 *command],
                self.folder / "capture.log", self.options.timeout, program_environment(self.program, home))
            if "draws" in self.program:
                subprocess.run(["convert", home / self.program["draws"], self.folder / "picture.png"], check=True)
        self.result["capture_bytes"] = self.file.stat().st_size

    def picture(self):
        out = self.folder / "emulated"
        self.result["emulate_seconds"] = run([self.options.cutaway, "emulate", self.file, "--out", out, "--quiet"],
                                             self.folder / "emulate.log", self.options.timeout)
        if "draws" in self.program:
            return
        made = sorted((out / "frames").glob("*.png"))
        if not made:
            raise Failed("no picture")
        shutil.copy(made[-1], self.folder / "picture.png")

    def verify(self):
        if not self.program.get("verify", True):
            return
        out = self.folder / "simulated"
        self.result["simulate_seconds"] = run(
            [self.options.cutaway, "simulate", self.file, "--gpu", gpu_of(self.program), "--verify", "--jobs", "1", "--out", out, "--quiet"],
            self.folder / "simulate.log", self.options.timeout)
        summary = json.loads((out / "summary.json").read_text())
        self.result.update(verify=summary["verify"], cycles=summary["frames"][0]["cycles"])

    def others(self):
        """What attila says of a capture for another machine; a refusal is no failure."""
        if gpu_of(self.program) == "attila":
            return
        out = self.folder / "on_attila"
        try:
            run([self.options.cutaway, "simulate", self.file, "--gpu", "attila", "--verify", "--jobs", "1", "--out", out, "--quiet"],
                self.folder / "attila.log", self.options.timeout)
            self.result["attila"] = json.loads((out / "summary.json").read_text())["verify"]
        except Failed as failure:
            self.result["attila"] = re.sub(r"^exit code \d+: ", "", str(failure)).partition("; use another")[0]

    def all_stages(self, before=None):
        """Runs all stages; with a result of an earlier revision all but the capture, which is kept."""
        stages = [self.capture, self.picture, self.verify, self.others]
        if before and self.file.exists() and "capture_seconds" in before:
            stages.remove(self.capture)
            for key in ("capture_seconds", "capture_bytes", "version", "frame"):
                self.result[key] = before[key]
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
        for stage in stages:
            try:
                stage()
            except Failed as failure:
                self.result["failed"] = {"stage": stage.__name__, "text": str(failure)}
                break
        return self.result


def outcome(program, result):
    """What the page says of a program's run."""
    if "failed" in result:
        why = program.get("stops")
        return f"{result['failed']['stage']}: {why or result['failed']['text']}"
    return program.get("picture", "not looked at")


def good(program, result):
    return "stops" in program if "failed" in result else result.get("verify", "equal") == "equal"


def command_text(program):
    return f"`{shlex.join(program['command']).replace('|', '/')}`"


def page(programs, results, before):
    """The table; programs without a result have their rows of the page before."""
    rows = ["| program | version | command | draws with | frame | capture | emulate | on | cycles | simulate, verify | at revision | "
            "picture, or what stops it |",
            "| --- | --- | --- | --- | ---: | ---: | ---: | --- | ---: | ---: | --- | --- |"]
    for program in programs:
        result = results.get(program["name"])
        if not result:
            rows += [line for line in before.splitlines() if line.startswith(f"| {program['name']} |") and line.count(" | ") > 2]
            continue
        seconds = lambda key: f"{result[key]:.1f} s" if key in result else ""
        cycles = f"{result['cycles']:,}" if "cycles" in result else ""
        checked = seconds("simulate_seconds") + (f", {result['verify']}" if "verify" in result else "")
        rows.append(f"| {program['name']} | {result['version']} | {command_text(program)} | {program['api']} | {result['frame']} | "
                    f"{seconds('capture_seconds')} | {seconds('emulate_seconds')} | {gpu_of(program)} | {cycles} | {checked} | "
                    f"{result['revision']} | {outcome(program, result).replace('|', '/')} |")
    return "\n".join(rows)


def other_machines(programs, results, before):
    """What attila says of the captures for other machines; older words stay."""
    rows = ["| program | on attila |", "| --- | --- |"]
    for program in programs:
        said = results.get(program["name"], {}).get("attila")
        if said:
            rows.append(f"| {program['name']} | {said.replace('|', '/')} |")
        else:
            rows += [line for line in before.splitlines() if re.match(rf"\| {re.escape(program['name'])} \| [^|]* \|$", line)]
    return "\n".join(rows)


def beyond_opengl_33(programs):
    """Names of the programs that draw with more than OpenGL 3.3 has without geometry shaders."""
    return ", ".join(p["name"] for p in programs if re.search(r"Vulkan|OpenGL 4|Direct3D 12|geometry", p["api"]))


def write_page(programs, results):
    before = PAGE.read_text()
    table = page(programs, results, before)
    others = other_machines(programs, results, before)
    tried = table.count("\n") - 1
    ran = tried - len(re.findall(r"\| (capture|picture|verify): [^|]*\|$", table, re.MULTILINE))
    PAGE.write_text(f"""# Programs

<!-- figures
write tests/programs/run.py --again --write
-->

`tests/programs/run.py` runs programs of Debian 12, and of the npm registry, on Cutaway's driver. It captures one frame of each, shows it on the emulator and
verifies it on the clocked machine. The table names the preset; the program is not offered features that it lacks. OpenGL goes
through Mesa's Zink ({installed('libgl1-mesa-dri')}). All pictures were
looked at. {ran} of {tried} programs run; for the others the last column says what stops them.

{table}

A row was measured at its revision, and cycles are of that revision: `tests/programs/run.py --only NAME --write` measures a row
again, `tests/programs/run.py --again --write` all rows on their captures. The cores also did other work, so seconds show orders of magnitude, not speed. `capture` is the whole time from the program's
start to the frame. The command runs in a home folder of its own ({{home}}), which `tests/programs/programs.toml` describes.

These programs draw with Vulkan, Direct3D 12, OpenGL 4, compute or geometry shaders: {beyond_opengl_33(programs)}.

## Captures for `d3d11` on `attila`

A program may or may not use features that `attila` lacks. The table gives the result of `cutaway simulate --gpu attila --verify`
on the same captures: equal, or its message before the first cycle.

{others}
""")


def contact_sheet(programs, options):
    made = [(p["name"], options.work / short_name(p["name"]) / "picture.png") for p in programs]
    made = [(name, path) for name, path in made if path.exists()]
    if made and shutil.which("montage"):
        arguments = [part for name, path in made for part in ("-label", name, str(path))]
        subprocess.run(["montage", *arguments, "-geometry", "240x180+4+4", "-tile", "8x", str(options.work / "pictures.png")])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), help="the command")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/programs", help="where captures and pictures go")
    parser.add_argument("--only", action="append", default=[], help="programs whose name holds TEXT; may be given again")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one stage of one program")
    parser.add_argument("--install", action="store_true", help="installs the packages of the chosen programs first")
    parser.add_argument("--write", action="store_true", help="writes docs/programs.md")
    parser.add_argument("--fresh", action="store_true", help="repeats what is in the work folder")
    parser.add_argument("--again", action="store_true", help="repeats all but captures of what another revision did")
    options = parser.parse_args()
    if not os.access(options.cutaway, os.X_OK):
        parser.error(f"{options.cutaway}: no such command; build the project or name it with --cutaway")
    programs = tomllib.loads((HERE / "programs.toml").read_text())["program"]
    chosen = [p for p in programs if not options.only or any(t.lower() in p["name"].lower() for t in options.only)]
    if not chosen:
        parser.error(f"--only {options.only[0]}: no such program in programs.toml")
    if options.install:
        packages = sorted({package for p in chosen for package in p.get("packages", [])})
        from_npm = sorted({package for p in chosen for package in p.get("npm", [])})
        if from_npm:
            npm_packages.install(from_npm)
        if packages:
            subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *packages], check=True,
                           env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    options.work.mkdir(parents=True, exist_ok=True)
    kept = options.work / "results.json"
    results = {r["name"]: r for r in json.loads(kept.read_text())} if kept.exists() else {}
    for number, program in enumerate(chosen, 1):
        missing = [how for _, version, how in packages_of(program) if not version]
        if missing:
            print(f"[{number}/{len(chosen)}] {program['name']}: left out, {'; '.join(missing)}", flush=True)
            continue
        before = results.get(program["name"])
        old = options.again and before and before["revision"] != revision()
        if not before or options.fresh or old:
            results[program["name"]] = Trial(program, options).all_stages(before if old else None)
            kept.write_text(json.dumps(list(results.values()), indent=1))
        print(f"[{number}/{len(chosen)}] {program['name']}: {outcome(program, results[program['name']])}", flush=True)
    contact_sheet(programs, options)
    print(page(programs, results, ""))
    if options.write:
        write_page(programs, results)
    return 0 if all(good(p, results[p["name"]]) for p in chosen if p["name"] in results) else 1


if __name__ == "__main__":
    sys.exit(main())
