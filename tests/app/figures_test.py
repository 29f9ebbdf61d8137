#!/usr/bin/env python3
"""Checks tools/figures.py on a page of its own, with a command that counts up: figures_test.py FIGURES"""
import pathlib
import subprocess
import sys
import tempfile

PAGE = """# A page

```sh
cutaway {old}
```

```text
...
frame 3: {old:,} cycles
memory 29 %
```

<!-- figures
let cycles = ^frame 3: # cycles
say took # cycles, or # each for two = cycles; cycles / 2
hold cycles > 1000
run cutaway 7
let seven = ^frame 3: # cycles
say and # in all = cycles + seven
-->

It took {old:,} cycles, or {half:,} each
for two, and {sum:,} in all.
"""


def main():
    with tempfile.TemporaryDirectory(prefix="cutaway_figures_") as name:
        folder = pathlib.Path(name)
        cutaway, page, runs = folder / "cutaway", folder / "page.md", folder / "runs"

        def command(cycles, memory="memory"):
            cutaway.write_text(f"""#!/bin/sh
echo run >>{runs}
[ "$1" = 7 ] && {{ echo "frame 3: 7 cycles"; exit; }}
printf "frame 3: %s cycles\\nother line 5\\n{memory} 29 %%\\n" {cycles}
""")
            cutaway.chmod(0o755)

        def figures(*options):
            return subprocess.run([sys.executable, sys.argv[1], "--cutaway", cutaway, page, *options], text=True,
                                  capture_output=True)

        def filled(cycles):
            text = PAGE.format(old=cycles, half=(cycles + 1) // 2, sum=cycles + 7)
            return text.replace(f"cutaway {cycles}", "cutaway 3")

        page.write_text(filled(5000))
        command("5,001")
        assert figures("--check").returncode == 0, "a figure within the tolerance is no error"
        command("6,001")
        stale = figures("--check")
        assert stale.returncode == 1 and "5,000 is 6,001" in stale.stdout and "5,007 is 6,008" in stale.stdout, stale
        assert page.read_text() == filled(5000), "--check changes no page"
        work = ["--work", folder / "work"]
        assert figures(*work).returncode == 0
        assert page.read_text() == filled(6001), page.read_text()
        count = runs.read_text().count("run")
        assert figures(*work, "--check").returncode == 0
        assert runs.read_text().count("run") == count, "what has finished for a build runs once"
        command("900")
        low = figures("--check")
        assert low.returncode == 1 and "no longer holds" in low.stdout, low
        command("6,001", memory="storage")
        assert "is no longer printed: memory 29 %" in figures("--check").stdout
        page.write_text(page.read_text().replace("in all.", "over all."))
        assert "0 places say" in figures("--check").stderr
        page.write_text("<!-- figures\nneeds no-such-tool\n-->\n")
        assert figures("--check").returncode == 77


main()
