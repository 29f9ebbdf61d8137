"""Heavy scripts run a sample in the gate, and everything with --whole (the tests of the label slow)."""
import sys
import zlib

WHOLE = "--whole" in sys.argv
if WHOLE:
    sys.argv.remove("--whole")


def sample(items, one_of, name=str):
    """All items with --whole; without, one of so many, the same in each run: those whose names have a checksum
    (CRC-32) that `one_of` divides, and the first."""
    items = list(items)
    return [item for i, item in enumerate(items) if WHOLE or i == 0 or zlib.crc32(name(item).encode()) % one_of == 0]
