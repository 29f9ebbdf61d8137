#!/usr/bin/env python3
"""Writes how structures of promoted features and properties follow from those of Vulkan 1.1 to 1.3.

usage: generate_promoted.py vk.xml promoted_structures.cpp

A version has one structure with all features that it brought, VkPhysicalDeviceVulkan12Features, and one with all
properties. Each extension that became part of the version keeps a structure with its own members. Features are stated
once by version (version_features.cpp), properties once by extension (physical_device_properties.cpp); the copies are
generated from the members' names:

  fill_promoted_features()  fills any structure of features from its version's
  gather()                  fills a version's structure of properties from the others
"""
import re
import sys
import xml.etree.ElementTree as xml

VERSIONS = {"1.1": "11", "1.2": "12", "1.3": "13"}
HEAD = ("sType", "pNext")


def is_vulkan(element):
    return "vulkan" in element.get("api", "vulkan").split(",")


class Structure:
    def __init__(self, element):
        self.name = element.get("name")
        self.extends = (element.get("structextends") or "").split(",")
        members = [member for member in element.findall("member") if is_vulkan(member)]
        self.members = [member.find("name").text for member in members]
        self.type = next((member.get("values") for member in members if member.find("name").text == "sType"), None)
        self.own = [member for member in self.members if member not in HEAD]

    def version_member(self, member):
        """The name of the member in the structure of the version."""
        if self.name == "VkPhysicalDeviceSubgroupProperties" and not member.startswith("subgroup"):
            return "subgroup" + member[0].upper() + member[1:]
        return member


def promoted(registry, suffix):
    """version -> (its structure, those of the extensions that became part of it)"""
    structures = {t.get("name"): Structure(t) for t in registry.findall("types/type")
                  if t.get("category") == "struct" and not t.get("alias")}
    head = "VkPhysicalDevice" + suffix + "2"
    whole = {version: structures[f"VkPhysicalDeviceVulkan{digits}{suffix}"] for version, digits in VERSIONS.items()}
    found = {version: [] for version in VERSIONS}
    for feature in registry.findall("feature"):
        if feature.get("number") not in VERSIONS or not is_vulkan(feature):
            continue
        for named in feature.findall("require/type"):
            structure = structures.get(named.get("name"))
            if structure and head in structure.extends and structure not in whole.values():
                found[feature.get("number")].append(structure)
    return {version: (whole[version], found[version]) for version in VERSIONS}


def check(version, whole, structure):
    missing = [m for m in structure.own if structure.version_member(m) not in whole.members]
    if missing:
        sys.exit(f"generate_promoted.py: {structure.name}: {whole.name} has no {', '.join(missing)}")


def features(registry):
    for version, (whole, structures) in promoted(registry, "Features").items():
        values = f"features_of_{version.replace('.', '_')}()"
        for structure in structures:
            check(version, whole, structure)
            yield (f"    case {structure.type}:\n"
                   f"      return fill<{structure.name}>(s, [from = {values}](auto& to) {{\n"
                   + "".join(f"        to.{member} = from.{member};\n" for member in structure.own) + "      });\n")
        yield (f"    case {whole.type}:\n"
               f"      return fill<{whole.name}>(s, [](auto& to) {{ to = {values}; }});\n")


def properties(registry):
    for version, (whole, structures) in promoted(registry, "Properties").items():
        yield f"void gather({whole.name}& to) {{\n"
        gathered = set(HEAD)
        for structure in structures:
            # Only of these properties a part became the version's.
            own = [m for m in structure.own if structure.version_member(m) in whole.members]
            if not own:
                sys.exit(f"generate_promoted.py: {structure.name}: nothing of it is part of {whole.name}")
            gathered |= {structure.version_member(m) for m in own}
            name = re.sub(r"^VkPhysicalDevice|Properties$", "", structure.name)
            name = "of_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
            yield (f"  const auto {name} = properties_of<{structure.name}>({structure.type});\n"
                   + "".join(f"  assign({name}.{m}, to.{structure.version_member(m)});\n" for m in own))
        rest = [m for m in whole.members if m not in gathered]
        yield (f"  // In no other structure: {', '.join(rest)}.\n" if rest else "") + "}\n\n"


def main():
    registry_path, source_path = sys.argv[1:]
    registry = xml.parse(registry_path).getroot()
    with open(source_path, "w") as out:
        out.write("// Generated from vk.xml by generate_promoted.py.\n"
                  '#include <algorithm>\n\n#include "icd/device/fill_structure.h"\n'
                  '#include "icd/device/physical_device.h"\n#include "icd/device/version_features.h"\n'
                  '#include "icd/device/version_properties.h"\n\nnamespace cutaway::icd {\n\n'
                  "size_t fill_promoted_features(VkBaseOutStructure* s) {\n  switch (s->sType) {\n")
        out.writelines(features(registry))
        out.write("    default:\n      return 0;\n  }\n}\n\nnamespace {\n\n"
                  "template <class Struct>\nStruct properties_of(VkStructureType type) {\n  Struct s{};\n"
                  "  s.sType = type;\n  PhysicalDevice::extend_properties(&s);\n  return s;\n}\n\n"
                  "template <class T>\nvoid assign(const T& from, T& to) {\n  to = from;\n}\n"
                  "template <size_t kCount, class T>\nvoid assign(const T (&from)[kCount], T (&to)[kCount]) {\n"
                  "  std::copy(std::begin(from), std::end(from), std::begin(to));\n}\n\n}  // namespace\n\n")
        out.writelines(properties(registry))
        out.write("}  // namespace cutaway::icd\n")


main()
