#!/usr/bin/env python3
"""Lengths of the programs that an OpenGL trace's fixed-function state becomes, beside Mesa's own.

usage: program_lengths.py BUILD TRACE

Replays an apitrace trace headless through Zink on Cutaway into a capture, while Mesa prints what it generates for the
same state. Lengths count END. Mesa's ARB vertex program is counted from the NIR that it is translated to one to one
(a MUL is four products, a MAD four products and four sums, a MOV an output that is an input); its fragment program
from GLSL IR, an instruction for each expression, texture access and copy. The alpha test belongs to no ARB program:
the variant that Zink makes of a fragment program for it is shown beside the plain program.
Exit codes: 0 all are within a third, 1 one is not, 2 wrong use, 77 a program that is needed is not installed.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

Program = collections.namedtuple("Program", "kind length textures inputs")


def vertex_programs(text):
    """Mesa's ARB vertex programs, from NIR."""
    for part in text.split("shader: MESA_SHADER_VERTEX")[1:]:
        body = part.split("shader: ")[0].split("\n(\n")[0]
        if not re.search(r"^name: ARB", body, re.M):
            continue
        operations = collections.Counter(re.findall(r"ssa_\d+ = (f\w+)", body))
        other = set(operations) - {"fmul", "fadd"}
        if other:
            print("not counted: an ARB vertex program with %s" % ", ".join(sorted(other)))
            continue
        loads = set(re.findall(r"(ssa_\d+) = intrinsic load_deref", body))
        stores = re.findall(r"store_deref \(ssa_\d+, (ssa_\d+)\)", body)
        copies = sum(source in loads for source in stores)
        inputs = body.count("decl_var shader_in")
        yield Program("vertex", operations["fmul"] // 4 + copies + 1, 0, inputs)


def fragment_programs(text):
    """The programs of the fixed-function fragment state, from GLSL IR."""
    for part in text.split("\n(\n")[1:]:
        body = part.split("\n)\n")[0]
        if "gl_FragColor" not in body:
            continue
        length, textures = 1, 0
        for line in re.findall(r"^\s*\(assign.*$", body, re.M):
            operations = line.count("(expression ") + line.count("(tex ")
            copies_result = re.search(r"gl_FragColor\)\s+\(var_ref compiler_temp", line)
            length += operations or (0 if copies_result else 1)
            textures += line.count("(tex ")
        yield Program("fragment", length, textures, len(re.findall(r"shader_in \)", body)))


def own_programs(text):
    """Cutaway's programs, from `cutaway disasm`: kind by what they write and read."""
    for part in re.split(r"\n(?=program 0x)", text):
        if "driver's own" in part.split("\n")[0]:
            continue
        code = [line.split("  ")[0] for line in part.split("\n")[1:] if re.match(r"\s*\d+: ", line)]
        joined = "\n".join(line.split(":", 1)[1] for line in part.split("\n")[1:] if re.match(r"\s*\d+: ", line))
        registers = set(re.findall(r"\bi(\d+)", joined))
        textures = len(re.findall(r"\bT(?:EX|XP|XB|XL|XD) ", joined))
        vertex = "OpImage" not in joined and bool(re.search(r"\bc3\b", joined)) and textures == 0
        kind = "vertex" if vertex else "fragment"
        kills = "KIL" in joined
        yield Program(kind + (", alpha test" if kills else ""), len(code), textures, len(registers))


def run(build, trace, folder):
    env = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
    env.update(WAFFLE_PLATFORM="surfaceless_egl", MESA_GLSL="dump", ST_DEBUG="nir", MESA_SHADER_CACHE_DISABLE="true")
    replay = ["eglretrace", "--headless", str(trace)]
    mesa = subprocess.run(replay, env=dict(env, GALLIUM_DRIVER="llvmpipe", LIBGL_ALWAYS_SOFTWARE="1"), check=True,
                          capture_output=True, text=True, errors="replace")
    capture = pathlib.Path(folder) / "programs.cutaway"
    subprocess.run([build / "cutaway", "capture", "--gpu", "attila", "--quiet", "--frames", "1", "-o", capture, "--", *replay], env=env, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ours = subprocess.run([build / "cutaway", "disasm", capture], check=True, capture_output=True, text=True)
    return mesa.stdout + mesa.stderr, ours.stdout


def match(theirs, ours):
    """Rows of (kind, textures, inputs, theirs, ours): programs of the same kind, textures and inputs, by length."""
    groups = collections.defaultdict(lambda: ([], []))
    for side, programs in ((0, theirs), (1, ours)):
        for p in programs:
            kind = p.kind.split(",")[0]
            # Mesa counts texture coordinates as one array.
            key = (kind, p.textures, p.inputs if kind == "vertex" else p.textures + 1)
            if p not in groups[key][side]:
                groups[key][side].append(p)
    for (kind, textures, inputs), (mesa, own) in sorted(groups.items()):
        plain = sorted((p for p in own if "," not in p.kind), key=lambda p: p.length)
        mesa = sorted(mesa, key=lambda p: p.length)
        for i in range(max(len(plain), len(mesa))):
            yield (kind, textures, inputs, mesa[i].length if i < len(mesa) else None,
                   plain[i].length if i < len(plain) else None)
        for p in own:
            if "," in p.kind:
                yield p.kind, textures, inputs, None, p.length


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    if not shutil.which("eglretrace"):
        print("skipped: eglretrace is not installed (package apitrace)")
        return 77
    with tempfile.TemporaryDirectory(prefix="cutaway-lengths-") as folder:
        mesa, ours = run(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), folder)
    theirs = list(vertex_programs(mesa)) + list(fragment_programs(mesa))
    worst = 0
    print("%-22s %8s %6s %6s %8s %6s" % ("program", "textures", "inputs", "Mesa", "Cutaway", "ratio"))
    for kind, textures, inputs, a, b in match(theirs, own_programs(ours)):
        ratio = b / a if a and b else None
        worst = max(worst, ratio or 0)
        print("%-22s %8d %6d %6s %8s %6s" % (kind, textures, inputs, a or "-", b or "-", "%.2f" % ratio if ratio else "-"))
    print("longest against Mesa's: %.2f" % worst)
    return 0 if 0 < worst <= 4 / 3 else 1


if __name__ == "__main__":
    sys.exit(main())
