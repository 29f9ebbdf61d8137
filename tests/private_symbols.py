#!/usr/bin/env python3
"""private_symbols.py ARCHIVE MEMBER NAMESPACE

Checks that an object compiled for another instruction set defines no symbol outside its namespace that the
linker could take for the whole program: the program would then run it on processors without those instructions.
"""
import subprocess
import sys

archive, member, namespace = sys.argv[1:]
lines = subprocess.run(["nm", "-C", archive], check=True, capture_output=True, text=True).stdout.splitlines()
start = lines.index(member + ":") + 1
symbols = lines[start:lines.index("", start)] if "" in lines[start:] else lines[start:]
defined = [line.split(maxsplit=2) for line in symbols if line[:1] != " "]
shared = [name for _, kind, name in defined
          if kind in "TDBRWVuGS" and namespace not in name and not name.startswith("DW.ref.")]
print("\n".join(f"{member} shares {name}" for name in shared) or f"{member}: {len(defined)} symbols, all its own")
sys.exit(1 if shared else 0)
