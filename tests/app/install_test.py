#!/usr/bin/env python3
"""install_test.py CMAKE BUILD PROGRAM

Installs into a folder and runs the installed command, which must find its own driver, manifest and presets.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

cmake, build, program = sys.argv[1:]
with tempfile.TemporaryDirectory(prefix="cutaway_install_") as name:
    prefix = pathlib.Path(name) / "prefix"
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    command = prefix / "bin/cutaway"
    assert not (prefix / "share/vulkan").exists(), "other Vulkan programs would find the driver"
    manifest = prefix / "share/cutaway/cutaway_icd.json"
    library = manifest.parent / re.search(r'"library_path": "([^"]+)"', manifest.read_text()).group(1)
    assert library.resolve().is_relative_to(prefix.resolve()) and library.exists(), library
    presets = subprocess.run([command, "gpus"], check=True, capture_output=True, text=True).stdout
    assert "attila" in presets, presets
    listed = subprocess.run([command, "experiment", "list"], check=True, capture_output=True, text=True).stdout
    assert "attila-fig4" in listed, listed
    recorder = prefix / "share/cutaway/experiments/record_match.sh"
    assert "usage:" in subprocess.run([recorder, "--help"], check=True, capture_output=True, text=True).stdout
    # Only the installed presets may be found: one that no source folder has.
    (prefix / "share/cutaway/presets/elsewhere.toml").write_text('base = "attila"\n')
    presets = subprocess.run([command, "gpus"], check=True, capture_output=True, text=True).stdout
    assert "elsewhere" in presets, presets
    out = pathlib.Path(name) / "out"
    run = subprocess.run([command, "run", "--gpu", "elsewhere", "--verify", "--out", out, "--", program, out / "x.ppm"],
                         env=dict(os.environ, DISPLAY=":none"), capture_output=True, text=True)
    print(run.stdout, run.stderr)
    assert run.returncode == 0 and (out / "summary.json").exists()
    for installed in ("man/man1/cutaway-simulate.1", "bash-completion/completions/cutaway", "doc/cutaway/README.md",
                      "doc/cutaway/docs/tutorial.md", "cutaway/examples/sweeps/bandwidth.toml"):
        assert (prefix / "share" / installed).stat().st_size > 500, installed
    # The page of reports, where it was built.
    if (pathlib.Path(build) / "report_page.html").exists():
        subprocess.run([command, "report", out, "-o", out / "report.html"], check=True, stdout=subprocess.DEVNULL)
        assert (out / "report.html").stat().st_size > 100_000
