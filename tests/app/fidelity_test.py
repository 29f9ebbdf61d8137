#!/usr/bin/env python3
"""`cutaway fidelity`: figures beside what a preset does, the page and its picture, clear errors."""
import json

from command_case import CommandTest, main


class FidelityTest(CommandTest):
    def test_it_lists_what_there_is(self):
        listed = self.call("fidelity", "list")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertRegex(listed.stdout, r"g80 +R3-culled +1\.00 +OUT-G80-6, OUT-G80-7")
        self.assertRegex(listed.stdout, r"g80 +E4\.4 +6\.10 +G80-8")

    def test_a_preset_is_held_against_what_was_published(self):
        drawn = self.call("fidelity", "R1-hidden", "R3-culled", "--gpu", "attila", "--quiet")
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        found = json.loads((self.folder / "out/fidelity/fidelity.json").read_text())
        rows = {row["name"]: row for row in found["figures"]}
        self.assertEqual(set(rows), {"R1-hidden", "R3-culled"})
        # Two tiles of 64 fragments are discarded in a cycle.
        self.assertAlmostEqual(rows["R1-hidden"]["ours"], 128, delta=4)
        self.assertTrue(rows["R1-hidden"]["within"])
        page = (self.folder / "out/fidelity/fidelity.md").read_text()
        self.assertRegex(page, r"\| `R1-hidden` \|.*\| pixels a cycle \| 128\.0 \|")
        self.assertIn("<circle", (self.folder / "out/fidelity/images/fidelity.svg").read_text())
        again = self.call("fidelity", "R1-hidden", "R3-culled", "--gpu", "attila", "--quiet")
        self.assertEqual(again.stdout, drawn.stdout)

    def test_what_cannot_be_used_is_named(self):
        self.fails("fidelity", "R9", names=["R9", "cutaway fidelity list"])
        self.fails("fidelity", "--gpu", "voodoo", names=["voodoo", "attila"])


main(["cutaway"])
