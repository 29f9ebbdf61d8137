#!/usr/bin/python3
"""WebGPU on Cutaway: Dawn (npm package `webgpu`, in node) and wgpu (npm package `@deno/linux-x64-glibc`, deno).

usage: webgpu_test.py --cutaway COMMAND --work WORK [--gpu NAME] [--install] dawn|wgpu

Of the engine that is named:

  scene    webgpu/scene.mjs is captured: it prints the adapter, its features and limits, and checks what comes back. The
           frame is verified on the clocked machine, and the picture compared with that of the same program on lavapipe,
           through wgpu: Dawn asks lavapipe 22.3 for features that it does not have.
  checks   webgpu/run_checks.mjs on the driver: every value is worked out by hand.

Without the npm package the test is skipped (exit status 77); --install installs it. CUTAWAY_NODE_MODULES names another
folder node_modules than that of the build folder.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import npm_packages

HERE = pathlib.Path(__file__).resolve().parent
LAVAPIPE = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"
SKIPPED = 77
LEAST_PSNR = 45  # dB; what rounding of filters and edges makes is above
DENO = "@deno/linux-x64-glibc"
PACKAGES = {"dawn": "webgpu", "wgpu": DENO}


def command_of(engine, script, *arguments):
    script = str(HERE / "webgpu" / script)
    if engine == "dawn":
        return ["node", script, *arguments]
    deno = npm_packages.modules() / DENO / "deno"
    return [str(deno), "run", "--allow-all", "--no-lock", "--unstable-webgpu", script, *arguments]


def environment_of(engine, work, **more):
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(work), NO_COLOR="1", **more)
    if engine == "dawn":
        environment["WEBGPU_PACKAGE"] = str(npm_packages.modules() / "webgpu")
    else:
        # docs/driver.md: wgpu hides drivers that have not passed the conformance tests.
        environment.update(DENO_WEBGPU_BACKEND="vulkan", DENO_DIR=str(work / "deno"), CUTAWAY_VULKAN="1.1")
    return environment


def run(command, environment):
    print("+", *command, flush=True)
    result = subprocess.run(list(map(str, command)), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            timeout=900)
    text = result.stdout + result.stderr
    print(text, end="", flush=True)
    if result.returncode:
        sys.exit(f"webgpu_test.py: exit code {result.returncode}")
    return text


def psnr(a, b):
    result = subprocess.run(["compare", "-metric", "PSNR", a, b, "null:"], capture_output=True, text=True)
    return float(result.stderr.split()[0])


def scene(engine, options):
    cutaway, work = options.cutaway, options.work
    capture, picture = work / "scene.cutaway", work / "cutaway.ppm"
    text = run([cutaway, "capture", "-o", capture, "--gpu", options.gpu, "--frames", "1", "--",
                *command_of(engine, "scene.mjs", picture)], environment_of(engine, work))
    if "the counts of the picture are right" not in text or not picture.exists():
        sys.exit("webgpu_test.py: the scene did not say that it is right")
    text = run([cutaway, "simulate", capture, "--gpu", options.gpu, "--verify", "--quiet", "--out", work / "simulated"], dict(os.environ))
    if npm_packages.installed(DENO) and pathlib.Path(LAVAPIPE).exists() and shutil.which("compare"):
        reference = work / "lavapipe.ppm"
        run(command_of("wgpu", "scene.mjs", reference),
            environment_of("wgpu", work, VK_DRIVER_FILES=LAVAPIPE, VK_ICD_FILENAMES=LAVAPIPE))
        alike = psnr(picture, reference)
        print(f"{alike} dB from lavapipe's picture")
        if alike < LEAST_PSNR:
            sys.exit("webgpu_test.py: the pictures differ")


def checks(engine, options):
    manifest = str(options.cutaway.parent / "cutaway_icd.json")
    run(command_of(engine, "run_checks.mjs"),
        environment_of(engine, options.work, VK_DRIVER_FILES=manifest, VK_ICD_FILENAMES=manifest))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cutaway", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--gpu", default="d3d11")
    parser.add_argument("--install", action="store_true", help="installs the npm package first")
    parser.add_argument("engine", choices=PACKAGES)
    options = parser.parse_args()
    package = PACKAGES[options.engine]
    if options.install:
        npm_packages.install([package])
    if not npm_packages.installed(package) or (options.engine == "dawn" and not shutil.which("node")):
        print(f"skipped: no npm package {package} in {npm_packages.modules()}; "
              f"install it with: {' '.join(npm_packages.install_command([package]))}")
        return SKIPPED
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    checks(options.engine, options)
    scene(options.engine, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
