#!/usr/bin/env python3
"""What shells offer while a line is typed: completion_test.py CUTAWAY SCRIPTS

Calls the functions of bash and fish as a Tab does, where they are installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CUTAWAY, SCRIPTS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
PATH = f"{CUTAWAY.parent}:{os.environ['PATH']}"

# Bash cuts a line into words at its word breaks, = among them, and replaces only what stands after the last.
BASH = """
source "$1"
COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=() COMP_CWORD=0
rest=$COMP_LINE
while [[ $rest =~ ^(\\ *)(=|\\"[^\\"]*|[^= ]+)(.*)$ ]]; do COMP_WORDS+=("${BASH_REMATCH[2]}"); rest=${BASH_REMATCH[3]}; done
[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
function=$(complete -p cutaway | sed 's/.*-F \\([^ ]*\\).*/\\1/')
$function cutaway
printf '%s\\n' "${COMPREPLY[@]}"
"""


def bash(line, folder="/"):
    result = subprocess.run(["bash", "--norc", "-c", BASH, "bash", SCRIPTS / "cutaway.bash", line], text=True,
                            capture_output=True, env=dict(os.environ, PATH=f"{PATH}:{folder}"))
    assert result.returncode == 0 and not result.stderr, result.stderr
    return [reply for reply in result.stdout.splitlines() if reply]


class Bash(unittest.TestCase):
    def test_subcommands(self):
        replies = bash("cutaway ")
        self.assertIn("simulate", replies)
        self.assertNotIn("sweep-points", replies, "hidden")
        self.assertEqual(bash("cutaway em"), ["emulate"])
        self.assertIn("--version", bash("cutaway --"))

    def test_options_are_those_of_help(self):
        for name in bash("cutaway "):
            text = subprocess.run([CUTAWAY, name, "--help"], check=True, capture_output=True, text=True).stdout
            replies = bash(f"cutaway {name} --")
            self.assertIn("--help", replies)
            for option in replies:
                self.assertIn(option, text)
        self.assertEqual(bash("cutaway simulate a.cutaway --timeline-"), ["--timeline-cycles", "--timeline-draw"])

    def test_names_of_experiments_and_figures(self):
        self.assertIn("attila-fig4", bash("cutaway experiment "))
        self.assertEqual(bash("cutaway experiment l"), ["list"])
        self.assertTrue(bash("cutaway probe E1.2"))
        self.assertTrue(all(name.startswith("E1.2") for name in bash("cutaway probe E1.2")))
        self.assertTrue(all(name.startswith("R1") for name in bash("cutaway fidelity R1")))
        self.assertTrue(bash("cutaway fidelity R1"))
        self.assertFalse(set(bash("cutaway experiment ")) & {"attila", "g80"}, "presets are no experiments")

    def test_values_of_closed_sets(self):
        self.assertEqual(bash("cutaway simulate --stats "), ["all", "fragments", "none"])
        self.assertEqual(bash("cutaway simulate --stats=n"), ["none"])
        self.assertEqual(bash("cutaway sweep --engine l"), ["local"])
        presets = sorted(path.stem for path in (SCRIPTS / "../../presets").glob("*.toml"))
        self.assertEqual(bash("cutaway run --gpu "), presets)
        self.assertEqual(bash("cutaway gpus g"), [name for name in presets if name.startswith("g")])

    def test_parameters_are_those_of_the_chosen_machine(self):
        self.assertEqual(bash("cutaway simulate a --set texture.cache_l"), ["texture.cache_lines="])
        self.assertEqual(bash("cutaway simulate a --set vertex_shader.un"), [])
        self.assertIn("vertex_shader.units=", bash("cutaway simulate --gpu attila-split --set vertex_shader.un"))
        self.assertIn("vertex_shader.units=", bash("cutaway gpus geforce6800 --set vertex_shader.un"))
        # Bash replaces what stands after =.
        self.assertEqual(bash("cutaway simulate a --set shader.issue="), ["mul-and-mad", "n-way", "scalar", "simd-and-scalar"])
        self.assertEqual(bash("cutaway simulate a --set shader.issue=sc"), ["scalar"])
        self.assertEqual(bash("cutaway simulate a --set memory.channels="), ["4"])
        self.assertEqual(bash('cutaway explain a --try "rop.units=4;texture.cache_l'), ["rop.units=4;texture.cache_lines="])
        self.assertEqual(bash("cutaway simulate a --gpu nothing --set texture.c"), [])

    def test_the_rest_is_left_to_files_and_programs(self):
        for line in ("cutaway info ", "cutaway run --out ", "cutaway emulate --threads ", "cutaway nothing "):
            self.assertEqual(bash(line), [], line)
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "a_program_of_the_test"
            program.write_text("")
            program.chmod(0o755)
            self.assertEqual(bash("cutaway run --frames 2 -- a_program_of", folder), ["a_program_of_the_test"])


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(unittest.TestCase):
    def replies(self, line):
        script = f"source {SCRIPTS}/cutaway.fish; complete -C '{line}'"
        with tempfile.TemporaryDirectory() as home:
            result = subprocess.run(["fish", "--no-config", "-c", script], check=True, capture_output=True, text=True,
                                    env=dict(os.environ, PATH=PATH, HOME=home))
        return [reply.split("\t")[0] for reply in result.stdout.splitlines()]

    def test_the_same(self):
        self.assertEqual(self.replies("cutaway em"), ["emulate"])
        self.assertEqual(self.replies("cutaway simulate --stats "), ["all", "fragments", "none"])
        self.assertEqual(self.replies("cutaway simulate a --set texture.cache_l"), ["texture.cache_lines="])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
