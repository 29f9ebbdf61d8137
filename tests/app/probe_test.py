#!/usr/bin/env python3
"""`cutaway probe`: an experiment on a preset and on another driver, results that are kept, clear errors."""
import json
import os
import pathlib
import unittest

from command_case import CommandTest, main

LAVAPIPE = pathlib.Path("/usr/share/vulkan/icd.d/lvp_icd.x86_64.json")


class ProbeTest(CommandTest):
    def test_it_lists_what_there_is(self):
        listed = self.call("probe", "list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertRegex(listed.stdout, r"E4\.4 +6\.10 of E4\.1 \(G80-8\) +all points on one pixel")

    def test_a_chip_is_compared_with_what_was_measured(self):
        drawn = self.call("probe", "E1.3-tiles", "--gpu", "g80", "--quiet")
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        found = json.loads((self.folder / "out/probe/probe.json").read_text())
        rows = {row["name"]: row for row in found["experiments"]}
        self.assertEqual((found["machine"], found["unit"]), ("g80", "cycles"))
        self.assertEqual(rows["E1.3-tiles"]["fact"], "G80-4")
        self.assertLess(rows["E1.0"]["time"], rows["E1.2"]["time"])
        again = self.call("probe", "E1.3-tiles", "--gpu", "g80", "--quiet")
        self.assertEqual(again.stdout, drawn.stdout)

    def test_pictures_show_the_order_and_the_units(self):
        drawn = self.call("probe", "E1.5", "--gpu", "g80", "--quiet", "--pictures")
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        pictures = self.folder / "out/probe/pictures"
        self.assertEqual(drawn.stdout.splitlines()[-1], "out/probe/pictures/index.html")
        page = (pictures / "index.html").read_text()
        for kind in ["order", "animation", "standstill", "units"]:
            self.assertIn(f"E1.2-{kind}.png", page)
            self.assertTrue((pictures / f"E1.2-{kind}.png").read_bytes().startswith(b"\x89PNG"))
        self.assertNotIn("E1.0-standstill.png", page)
        self.assertRegex(page, r"\d,\d{3} fragments that were drawn after the slow one ended before it")

    @unittest.skipUnless(LAVAPIPE.exists(), "needs Mesa's lavapipe")
    def test_another_driver_draws_the_same(self):
        drawn = self.call("probe", "E1.5", "--driver", "--quiet", "--pictures", VK_DRIVER_FILES=str(LAVAPIPE))
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        self.assertIn("llvmpipe", drawn.stdout.splitlines()[0])
        self.assertRegex(drawn.stdout, r"E1\.5 +\d+")
        self.assertIn("this device is a CPU", drawn.stdout)
        self.assertNotIn("within", (self.folder / "out/probe/probe.json").read_text())
        self.assertTrue((self.folder / "out/probe/pictures/E1.5-order.png").exists())
        self.assertFalse((self.folder / "out/probe/pictures/E1.5-units.png").exists())

    def test_what_cannot_be_used_is_named(self):
        self.fails("probe", "E9", names=["E9", "cutaway probe list"])
        self.fails("probe", "E1.5", "--gpu", "voodoo", names=["voodoo"])


main(["cutaway"])
