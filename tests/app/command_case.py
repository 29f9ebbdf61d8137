"""What the tests of the command share: a folder of their own, calls, scenes."""
import argparse
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import whole  # noqa: E402, F401

options = argparse.Namespace()


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cutaway_command_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, cwd=None, preexec_fn=None, **environment):
        return subprocess.run([options.cutaway, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                              cwd=cwd or self.folder, env=dict(os.environ, **environment), preexec_fn=preexec_fn)

    def scene(self, name="animation4", *more):
        path = self.folder / f"{name}.cutaway"
        subprocess.run([options.write_scene, name, path, *more], check=True)
        return path

    def fails(self, *arguments, names, code=2, program_speaks=False, **more):
        """One line on standard error that names what is wrong, and nothing left behind."""
        before = sorted(self.folder.rglob("*"))
        result = self.call(*arguments, **more)
        self.assertEqual(result.returncode, code, result.stderr)
        lines = result.stderr.splitlines()
        if not program_speaks:
            self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[-1].startswith("cutaway: "), result.stderr)
        for name in names:
            self.assertIn(name, lines[-1])
        self.assertEqual(sorted(self.folder.rglob("*")), before, "something was left behind")

    def start(self, *arguments, **more):
        return subprocess.Popen([options.cutaway, *map(str, arguments)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, cwd=self.folder, start_new_session=True, **more)

    def wait_for(self, pattern, process):
        until = time.monotonic() + 60
        while not list(self.folder.glob(pattern)) and process.poll() is None and time.monotonic() < until:
            time.sleep(0.001)


def png_pixels(path):
    """Of an RGB or RGBA file of 8 bits: width, height, R, G, B of each pixel."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR":
            width, height, _, color = struct.unpack_from(">IIBB", data, at + 8)
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    channels = {2: 3, 6: 4}[color]
    raw, stride, before, pixels = zlib.decompress(packed), width * channels, bytearray(width * channels), []
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            a, b, c = (line[i - channels], before[i], before[i - channels]) if i >= channels else (0, before[i], 0)
            p = min((a, b, c), key=lambda value: abs(a + b - c - value))
            line[i] = (line[i] + (0, a, b, (a + b) // 2, p)[kind]) % 256
        pixels += [bytes(line[x * channels:x * channels + 3]) for x in range(width)]
        before = line
    return width, height, pixels


def main(names=("cutaway", "write-scene", "unsupported-shader", "triangles")):
    """Takes `--NAME PATH` for each of the names, into `options`, and runs the caller's tests: [TEST...]"""
    parser = argparse.ArgumentParser()
    for name in names:
        parser.add_argument(f"--{name}", required=True)
    _, rest = parser.parse_known_args(namespace=options)
    os.environ.setdefault("DISPLAY", ":none")  # nothing here opens a window
    unittest.main(argv=[sys.argv[0], *rest])
