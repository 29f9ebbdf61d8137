"""Packages of the npm registry that programs need. They are installed by request only, into a folder of their own."""
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def modules():
    """The folder node_modules: that of CUTAWAY_NODE_MODULES, or of the build folder."""
    return pathlib.Path(os.environ.get("CUTAWAY_NODE_MODULES", ROOT / "build/npm/node_modules"))


def installed(package):
    """The version of a package, or None."""
    described = modules() / package / "package.json"
    return json.loads(described.read_text())["version"] if described.exists() else None


def install_command(packages):
    return ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(modules().parent), *packages]


def install(packages):
    modules().parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(install_command(packages), check=True)
    for program in modules().glob("@deno/*/deno"):  # as the script of its package would
        program.chmod(0o755)
