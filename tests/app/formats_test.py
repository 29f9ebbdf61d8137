#!/usr/bin/env python3
"""Formats that a chip takes: what programs are offered of them, beside the table of the GeForce 6800, and what is refused.

usage: formats_test.py --cutaway PATH --write-scene PATH --format-properties PATH --table PATH [TEST...]
"""
import pathlib
import unittest

import command_case
from command_case import CommandTest, options


def table():
    """By format: the columns of the table that say yes, as the driver calls them."""
    formats = {}
    for line in pathlib.Path(options.table).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        _, _, fragment, target, filtered, blended, *names = line.split()
        for name in names:
            deep = name.startswith(("D16", "D24", "D32", "S8", "X8_D24"))
            columns = {"texture": fragment, "filter": filtered, "depth" if deep else "color": target, "blend": blended}
            formats.setdefault(name, set()).update(use for use, answer in columns.items() if answer == "y")
    return formats


class FormatsTest(CommandTest):
    def offered(self, *gpu):
        result = self.call("capture", "-o", "c", *gpu, "--", options.format_properties)
        return {name: set(uses) for name, *uses in map(str.split, result.stdout.splitlines()) if "_" in name}

    def test_the_driver_offers_the_table(self):
        everything, chip, told = self.offered(), self.offered("--gpu", "geforce6800"), table()
        self.assertEqual(len(everything), 148)
        self.assertEqual(everything.keys(), chip.keys())
        checked = 0
        for name, uses in chip.items():
            self.assertEqual(uses, told.get(name, set()), name)
            checked += 5
        self.assertEqual(self.offered("--gpu", "g80"), everything)
        print(f"{checked} answers of the driver as the table has them")

    def test_what_the_driver_hears(self):
        def heard(*command):
            return self.call("capture", "-o", "c", *command, "--", "sh", "-c", "echo [$CUTAWAY_FORMATS] >&2").stderr
        self.assertIn("[]\n", heard())
        self.assertIn("[]\n", heard("--gpu", "d3d11"))
        self.assertIn("[vertex_texture=R32_SFLOAT,R32G32B32A32_SFLOAT;fragment_texture=R4G4B4A4_UNORM_PACK16,",
                      heard("--gpu", "geforce6800"))

    def test_captures_of_other_chips_are_refused_by_name(self):
        for scene, format in [("block-textures", "BC4_UNORM_BLOCK"), ("texel-buffers", "R32G32B32_UINT")]:
            self.fails("simulate", self.scene(scene), "--gpu", "geforce6800",
                       names=[f"geforce6800 has no fragment textures of {format}", "frame 1, submission ", "draw ",
                              "capture --gpu geforce6800"])

    def test_files_of_machines(self):
        (self.folder / "less.toml").write_text('base = "attila"\n[formats]\nfragment_texture = "none"\n')
        self.fails("simulate", self.scene("block-textures"), "--gpu", "less.toml", names=["less has no fragment textures of BC"])
        (self.folder / "bad.toml").write_text('base = "attila"\n[formats]\ntarget = ["R8_UNORM", "R8G8_UNROM"]\n')
        self.fails("gpus", "bad.toml", names=["bad.toml:3: formats.target = R8_UNORM,R8G8_UNROM: expected all, none, or a "
                                              "list of formats", "R8G8_UNROM is none of them: did you mean R8G8_UNORM?"])
        (self.folder / "bad.toml").write_text('base = "attila"\n[formats]\ntargets = "all"\n')
        self.fails("gpus", "bad.toml", names=["bad.toml:3: formats.targets: formats has no parameter targets"])
        self.fails("simulate", self.scene("block-textures"), "--set", "formats.blend=R8", names=["formats.blend = R8", "R8 is none of them"])


if __name__ == "__main__":
    command_case.main(("cutaway", "write-scene", "format-properties", "table"))
