"""What scripts share that simulate captures and write tables between two marks of a page."""
import json
import pathlib
import sqlite3
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def add_options(parser, out):
    parser.add_argument("--cutaway", default=str(ROOT / "build/release/cutaway"), help="the command")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(out))
    parser.add_argument("--page", type=pathlib.Path, help="a page whose tables, between two marks, are replaced")


def stop(text):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {text}")


def run(options, *arguments):
    """Runs the command and returns what it prints."""
    try:
        return subprocess.run([options.cutaway, *map(str, arguments)], check=True, capture_output=True, text=True).stdout
    except subprocess.CalledProcessError as failure:
        stop(f"{' '.join(map(str, failure.cmd))}: exit code {failure.returncode}\n{failure.stderr}")


def simulate(options, capture, gpu, frame, folder, *sets):
    """Simulates and verifies a frame, unless the folder holds it. Returns its cycles and the command processor's counters."""
    if not (folder / "summary.json").exists():
        print(f"{capture.name}, frame {frame}, on {gpu}: {folder.name}", file=sys.stderr, flush=True)
        run(options, "simulate", capture, "--gpu", gpu, "--frames", frame, "--verify", "--quiet", "--jobs", "1", "--out",
            folder, *sets)
    summary = json.loads((folder / "summary.json").read_text())
    if summary["verify"] != "equal":
        stop(f"{folder}: not verified")
    rows = sqlite3.connect(folder / "run.sqlite").execute(
        "SELECT name, value FROM frame_counter JOIN counter USING (counter) WHERE unit = 'gpu.command_processor'")
    return summary["frames"][0]["cycles"], dict(rows.fetchall())


def write(options, text, name):
    """Puts the text between the marks <!-- NAME --> and <!-- end of NAME --> of the page; without a page, prints it."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if not options.page:
        print(text)
        return
    before, _, rest = options.page.read_text().partition(begin)
    if end not in rest:
        stop(f"{options.page} has no {begin} … {end}")
    options.page.write_text(f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}")
