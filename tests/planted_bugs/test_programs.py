"""Which test programs can see a bug in a file, those that find it soonest first."""
import dataclasses
import pathlib
import re
import sys

import bug_list


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    targets: tuple
    arguments: tuple  # {tree} and {build} stand for folders

    def command(self, tree, build):
        return [argument.format(tree=tree, build=build) for argument in self.arguments]


def folder_test(folder):
    return Program(f"{folder}_test", (f"{folder}_test",), (f"{{build}}/src/{folder}/{folder}_test",))


def example(name):
    return Program(f"example {name}", (name, "vulkan_cutaway"),
                   (sys.executable, "{tree}/tests/drivers/compare_drivers.py", "{build}/cutaway_icd.json", ".",
                    f"{{build}}/examples/{name}"))


PROGRAMS = {folder: folder_test(folder) for folder in
            ("base", "engine", "arch", "isa", "compiler", "func", "command_stream", "emulator", "messages", "structures",
             "boxes", "host", "capture", "replay", "icd", "run_record", "sampling", "report", "launch",
             "app")}
MACHINE = "{build}/tests/machine/machine_scenes_test"
PROGRAMS["records"] = Program("machine records", ("machine_scenes_test",), (MACHINE, "--gtest_filter=*Records*"))
# Tests of many machines take longest.
MANY_MACHINES = "RandomConfig*:*EachParameter*:All/Chips*"
PROGRAMS["machine"] = Program("machine_scenes_test", ("machine_scenes_test",),
                              (MACHINE, f"--gtest_filter=-*Records*:{MANY_MACHINES}"))
PROGRAMS["machines"] = Program("machine_scenes_test of many machines", ("machine_scenes_test",),
                               (MACHINE, f"--gtest_filter={MANY_MACHINES}"))
for name in ("transfers", "blits", "textured_triangles", "passes", "life"):
    PROGRAMS[name] = example(name)
PROGRAMS["command"] = Program(
    "command_test", ("cutaway", "write_scene", "unsupported_shader", "textured_triangles", "vulkan_cutaway"),
    (sys.executable, "{tree}/tests/app/command_test.py", "--cutaway", "{build}/cutaway",
     "--write-scene", "{build}/tests/app/write_scene", "--unsupported-shader", "{build}/tests/app/unsupported_shader",
     "--triangles", "{build}/examples/textured_triangles"))
PROGRAMS["contexts"] = dataclasses.replace(
    PROGRAMS["command"], name="contexts_test",
    arguments=tuple(each.replace("command_test.py", "contexts_test.py") for each in PROGRAMS["command"].arguments))
PROGRAMS["debug_labels"] = Program(
    "debug_labels_test", ("cutaway", "debug_labels", "vulkan_cutaway"),
    (sys.executable, "{tree}/tests/app/debug_labels_test.py", "--cutaway", "{build}/cutaway",
     "--debug-labels", "{build}/tests/app/debug_labels"))

PROGRAMS["barriers"] = Program("barriers_test", ("barriers_test", "vulkan_cutaway"),
                               ("{build}/tests/drivers/barriers_test",))

EXAMPLES = ["transfers", "blits", "textured_triangles", "passes", "life"]
# By the folder below src/ that the bug is in.
SEEN_BY = {
    "base": ["base", "arch", "engine", "boxes", "emulator", "machine", "capture", "host", "replay", "icd", "command"],
    "engine": ["engine", "boxes", "records", "machine", "replay", "command"],
    "arch": ["arch", "func", "emulator", "boxes", "machine", "capture", "icd", "replay", "command"],
    "isa": ["isa", "func", "compiler", "emulator", "boxes", "machine", "icd"],
    "compiler": ["compiler", "icd"] + EXAMPLES,
    "func": ["func", "emulator", "boxes", "records", "machine", "compiler", "icd", "replay"] + EXAMPLES,
    "command_stream": ["command_stream", "emulator", "boxes", "machine", "records", "replay", "icd", "command"],
    "emulator": ["emulator", "machine", "icd", "replay"] + EXAMPLES + ["command"],
    "messages": ["messages", "structures", "boxes", "records", "machine", "replay", "command"],
    "structures": ["structures", "boxes", "records", "machine", "replay", "command"],
    "boxes": ["boxes", "records", "machine", "replay", "command"],
    "machine": ["records", "machine", "replay", "command"],
    "host": ["host", "icd"] + EXAMPLES + ["debug_labels"],
    "capture": ["capture", "replay", "icd", "command"],
    "replay": ["replay", "contexts", "command"],
    "icd": ["icd"] + EXAMPLES + ["barriers", "command", "debug_labels"],
    "run_record": ["run_record", "report", "replay", "command"],
    "sampling": ["sampling"],
    "report": ["report", "machine", "command"],
    "launch": ["launch", "command"],
    "app": ["app", "command"],
}


def suites_beside(file):
    """A filter for the tests that stand in the folder of a file."""
    suites = set()
    for path in sorted((bug_list.ROOT / file).parent.glob("*_test.cpp")):
        suites.update(re.findall(r"^TEST(?:_F|_P)?\((\w+),", path.read_text(), re.MULTILINE))
    return ":".join(f"{suite}.*:*/{suite}.*" for suite in sorted(suites))


def missing(bugs):
    """A line for each folder whose bugs no program is said to see."""
    folders = {pathlib.PurePath(bug.file).parts[1] for bug in bugs}
    return [f"test_programs.py: SEEN_BY has no folder '{folder}'" for folder in sorted(folders - set(SEEN_BY))]


def all_programs(file):
    names = SEEN_BY[pathlib.PurePath(file).parts[1]]
    return [PROGRAMS[name] for name in (*names, *(["machines"] if "machine" in names else []))]


def programs_for(file, found_by=""):
    """The test that found the bug before, then the tests beside the file, then those that find a bug soonest."""
    programs = all_programs(file)
    near, first = suites_beside(file), programs[0]
    if near:
        programs = [filtered(first, near), filtered(first, f"-{near}"), *programs[1:]]
    program, _, test = found_by.partition(": ")
    if test and not test.startswith("(") and program in [each.name for each in programs]:
        programs = [filtered(next(each for each in programs if each.name == program), test), *programs]
    return programs


def filtered(program, tests):
    arguments = [argument for argument in program.arguments if not argument.startswith("--gtest_filter=")]
    return dataclasses.replace(program, arguments=(*arguments, f"--gtest_filter={tests}"))
