#!/usr/bin/env python3
"""clocked_path.py ARCHIVE...

Checks that nothing of the clocked machine refers to the emulator: no object in the archives defines or uses a
symbol of it. What the machine finds out, it finds out by itself.
"""
import subprocess
import sys

offences = []
symbols = 0
for archive in sys.argv[1:]:
    listing = subprocess.run(["nm", "-C", archive], check=True, capture_output=True, text=True).stdout
    lines = [line for line in listing.splitlines() if line and not line.endswith(":")]
    symbols += len(lines)
    offences += [f"{archive}: {line}" for line in lines if "emulator" in line]
print("\n".join(offences) or f"{len(sys.argv) - 1} archives, {symbols} symbols: none of the emulator")
sys.exit(1 if offences or not symbols else 0)
