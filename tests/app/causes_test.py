"""What held a frame up: `explain`, the page of reports, run.sqlite and a sweep tell it alike, and as the closed form."""
import base64
import csv
import gzip
import json
import pathlib
import re
import sqlite3

import explain_test
from command_case import main


class Causes(explain_test.ExplainTest):
    def test_every_place_names_the_stage_that_binds_unified_and_split_units(self):
        """`explain`, the page, run.sqlite and a sweep tell one name and one number, that of the closed form."""
        # Scene, machine, and the cycles of each stage by construction (tests/scenes/bound_scenes.h).
        half = {"vertex shading": 505_025, "fragment shading": 499_712}
        # Of attila-split: four vertex units of one thread an instruction do half of what two units of four do.
        split_half = {"vertex shading": 1_010_050, "fragment shading": 499_712}
        # Of d3d11: an instruction issues four components one by one, and its result comes shader.simd_latency 24 after
        # the last began: a group takes an instruction each 27 cycles of 1401 MHz, if fewer than 7 are in its unit.
        instruction = 27 * 700 / 1401
        # 4 front ends have memory for 64 patches each: the 1,024 patches go in 4 rounds.
        hull = 4 * 2000 * instruction
        # 64 groups in 16 units.
        geometry = 4000 * instruction
        # 16 groups in each unit, 8 at a time. The oldest 7 take the issue port, an instruction in 28 cycles, twice; then
        # the last 2.
        compute = 2000 * (28 + 28 + 27) * 700 / 1401
        (self.folder / "split.toml").write_text(explain_test.SPLIT_D3D11)
        expected = {
            ("bound-by-vertices", "attila"): {"vertex shading": 505_025},
            ("bound-by-shading", "attila"): {"fragment shading": 3_293_184},
            ("bound-by-two-stages", "attila"): half,
            ("bound-by-two-stages", "attila-split"): split_half,
            ("bound-by-vertices", "attila-split"): {"vertex shading": 1_010_050},
            ("bound-by-shading", "attila-split"): {"fragment shading": 3_293_184},
            ("bound-by-hull", "d3d11"): {"tessellation control shading": hull},
            ("bound-by-geometry", "d3d11"): {"geometry shading": geometry},
            ("bound-by-compute", "d3d11"): {"compute shading": compute},
            ("bound-by-hull", "split"): {"tessellation control shading": hull},
            ("bound-by-geometry", "split"): {"geometry shading": geometry},
            ("bound-by-compute", "split"): {"compute shading": compute}}
        told = self.sweep("two", ["bound-by-vertices", "bound-by-shading", "bound-by-two-stages"], ["attila", "attila-split"])
        told += self.sweep("three", ["bound-by-hull", "bound-by-geometry", "bound-by-compute"], ["d3d11", "split.toml"])
        self.assertEqual(len(told), len(expected))
        page = self.causes_of_page([point["run"] for point in told])
        for point, shown in zip(told, page, strict=True):
            scene, gpu = pathlib.Path(point["capture"]).stem, pathlib.Path(point["gpu"]).stem
            with self.subTest(scene=scene, gpu=gpu):
                frame = self.explain(point["run"])["frames"][0]
                self.assertEqual(frame["cycles"], int(point["cycles"]))
                causes = [(cause["words"], cause["share"]) for cause in frame["held_up_by"]]
                self.assertAlmostEqual(sum(share for _, share in causes), 1)
                for words, cycles in expected[scene, gpu].items():
                    self.assertAlmostEqual(dict(causes)[words], cycles / frame["cycles"], delta=0.03)
                self.assertEqual(shown, causes)
                self.assertEqual(point["causes"], dict(causes))
                self.assertEqual(point["held_up_by"], causes[0][0])
                self.assertAlmostEqual(float(point["held_up_share"]), causes[0][1])  # CSV has 15 digits
                in_sql = sqlite3.connect(self.folder / point["run"]).execute(
                    "SELECT cause, share FROM frame_cause WHERE frame = 1").fetchall()
                self.assertEqual(dict(in_sql), dict(causes))
        # The database of `simulate` is that of the sweep's point.
        alone = self.run_of("bound-by-two-stages", "--gpu", "attila")
        self.assertEqual([(cause["words"], cause["share"]) for cause in self.explain(alone)["frames"][0]["held_up_by"]],
                         next(shown for point, shown in zip(told, page) if "two-stages" in point["capture"] and point["gpu"] == "attila"))

    def sweep(self, name, scenes, gpus):
        """The rows of sweep.csv, each with the path of its run and its causes by the sweep's database."""
        captures = [self.scene(scene).name for scene in scenes]
        (self.folder / f"{name}.toml").write_text(f"captures = {captures}\ngpus = {gpus}\nexplain = true\n")
        result = self.call("sweep", f"{name}.toml", "--quiet")
        self.assertEqual(result.returncode, 0, result.stderr)
        database = sqlite3.connect(self.folder / f"out/{name}/sweep.sqlite")
        with open(self.folder / f"out/{name}/sweep.csv", newline="") as file:
            points = list(csv.DictReader(file))
        for point in points:
            point["run"] = f"out/{name}/runs/{point['point']}.sqlite"
            point["causes"] = dict(database.execute("SELECT unit, share FROM cause JOIN point p ON p.id = point "
                                                    "WHERE p.hash = ?", (point["point"],)))
        return points

    def causes_of_page(self, runs):
        """What the page of reports says held the only frame of each run up: it holds base64 of gzip of JSON."""
        result = self.call("report", *runs, "-o", "page.html", "--pictures", "0")
        if "the page of reports was not built" in result.stderr:
            self.skipTest(result.stderr)
        self.assertEqual(result.returncode, 0, result.stderr)
        data = re.search(r'<script id="data"[^>]*>([^\n<]*)', (self.folder / "page.html").read_text())[1]
        shown = json.loads(gzip.decompress(base64.b64decode(data)))["runs"]
        return [[(cause["words"], cause["share"]) for cause in run["frames"][0]["holdups"]["frame"]] for run in shown]


if __name__ == "__main__":
    main()
