#!/usr/bin/env python3
"""Writes a table of the structures that Vulkan's queries fill, for query_structures_test.cpp.

usage: generate_query_structures.py vk.xml extension_list.h query_structures.h

A query fills a structure of the registry that is `returnedonly`, or that has features, and the structures that may
extend it. The table has each extending structure of Vulkan 1.0 to 1.3 or of a listed extension, with its members.
"""
import re
import sys
import xml.etree.ElementTree as xml

VERSIONS = ("1.0", "1.1", "1.2", "1.3")
FEATURES = "VkPhysicalDeviceFeatures2"


def is_vulkan(element):
    return "vulkan" in element.get("api", "vulkan").split(",")


def provided_types(registry, extensions):
    """Names of the types of the core versions and of the listed extensions."""
    blocks = [f for f in registry.findall("feature") if f.get("number") in VERSIONS and is_vulkan(f)]
    blocks += [e for e in registry.findall("extensions/extension") if e.get("name") in extensions]
    names = set()
    for block in blocks:
        for require in block.findall("require"):
            needed = require.get("extension")
            if not needed or needed in extensions:
                names |= {t.get("name") for t in require.findall("type")}
    aliases = {t.get("name"): t.get("alias") for t in registry.findall("types/type") if t.get("alias")}
    return names | {aliases[n] for n in names if n in aliases}


def rows(registry, extensions):
    structures = {t.get("name"): t for t in registry.findall("types/type[@category='struct']") if not t.get("alias")}
    provided = provided_types(registry, extensions)

    def is_filled(name):
        return name == FEATURES or structures[name].get("returnedonly") == "true"

    for name, structure in sorted(structures.items()):
        if name not in provided:
            continue
        members = [m for m in structure.findall("member") if is_vulkan(m)]
        kind = next((m.get("values") for m in members if m.find("name").text == "sType"), None)
        own = [m.find("name").text for m in members if m.find("name").text not in ("sType", "pNext")]
        for extended in filter(None, (structure.get("structextends") or "").split(",")):
            if extended in structures and is_filled(extended) and (is_filled(name) or extended == FEATURES):
                parts = ", ".join(f'{{"{m}", offsetof({name}, {m}), sizeof({name}::{m})}}' for m in own)
                yield f'    {{"{extended}", "{name}", {kind}, sizeof({name}), {{{parts}}}}},\n'


def main():
    registry_path, list_path, header_path = sys.argv[1:]
    extensions = set(re.findall(r"\bX\((VK_\w+),", open(list_path).read()))
    with open(header_path, "w") as out:
        out.write("// Generated from vk.xml by generate_query_structures.py.\n#pragma once\n\n#include <cstddef>\n"
                  "#include <vector>\n\n#include \"icd/testing/loader_fixture.h\"\n\nnamespace cutaway::icd::testing {\n\n"
                  "struct QueryMember {\n  const char* name;\n  size_t offset, bytes;\n};\n"
                  "// A structure that extends the structure `query`.\n"
                  "struct QueryStructure {\n  const char *query, *name;\n  VkStructureType type;\n  size_t bytes;\n"
                  "  std::vector<QueryMember> members;\n};\n\n"
                  "inline const std::vector<QueryStructure> kQueryStructures{\n")
        out.writelines(rows(xml.parse(registry_path).getroot(), extensions))
        out.write("};\n\n}  // namespace cutaway::icd::testing\n")


main()
