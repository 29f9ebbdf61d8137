#!/usr/bin/env python3
"""Holds docs/conformance.md to what Mesa's software driver offers and Cutaway does not: its device extensions, and the
features of Vulkan 1.0 to 1.3 by the names of vulkaninfo.

usage: check_missing.py CUTAWAY_MANIFEST

Fails if one is not in the table "Optional, offered by lavapipe, and missing", or if the table names one that Cutaway
offers. A name that this version of Mesa does not have stays in the table.
"""
import os
import pathlib
import re
import subprocess
import sys

from compare_drivers import reference_manifest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/conformance.md"
TABLE = "## Optional, offered by lavapipe, and missing"
CORE = re.compile(r"^VkPhysicalDevice(Vulkan1[1-3])?Features:\n[=-]+\n((?:\t.*\n)+)", re.MULTILINE)


def offered(manifest):
    """Device extensions, and features that are on."""
    environment = dict(os.environ, VK_DRIVER_FILES=str(manifest), VK_ICD_FILENAMES=str(manifest))
    environment.pop("DISPLAY", None)  # an X server that does not answer is none of this test's
    text = subprocess.run(["vulkaninfo"], env=environment, capture_output=True, text=True, timeout=120).stdout
    extensions = re.search(r"^Device Extensions: count = \d+\n((?:\t.*\n)+)", text, re.MULTILINE)
    features = CORE.findall(text)
    if not extensions or len(features) != 4:
        sys.exit(f"check_missing.py: vulkaninfo shows no device of {manifest}")
    return (set(re.findall(r"^\t(VK_\w+)", extensions[1], re.MULTILINE)) |
            set(re.findall(r"^\t(\w+) += true$", "".join(lines for _, lines in features), re.MULTILINE)))


def told():
    """Names in the first column that are the whole of an extension or a feature."""
    section = PAGE.read_text().split(TABLE + "\n")[1].split("\n## ")[0]
    rows = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `") or line.startswith("| ")]
    return {name for row in rows for name in re.findall(r"`(\w+)`(?! of)", re.sub(r"`\w+` of `\w+`", "", row))}


def main():
    ours, theirs, page = offered(sys.argv[1]), offered(reference_manifest()), told()
    wrong = [f"{name}: lavapipe has it, Cutaway has not, and the table does not say so" for name in sorted(theirs - ours - page)]
    wrong += [f"{name}: the table says that it is missing" for name in sorted(page & ours)]
    print("\n".join(wrong) or f"{len(theirs - ours)} of {len(theirs)} that lavapipe offers are missing; the table names them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
