#!/usr/bin/env python3
"""Writes the names of all features that the Vulkan registry knows, those of unsupported extensions included.

usage: generate_feature_names.py vk.xml feature_names.cpp

A structure of features is sType, pNext and nothing but VkBool32; VkPhysicalDeviceFeatures has no head.
"""
import sys
import xml.etree.ElementTree as xml

HEAD = ("sType", "pNext")


def is_vulkan(element):
    return "vulkan" in element.get("api", "vulkan").split(",")


def members_of(structure):
    return [member for member in structure.findall("member") if is_vulkan(member)]


def values_of_headers(registry):
    """The enumerants that the headers declare without a macro."""
    def values(blocks):
        return {e.get("name") for block in blocks for e in block.findall("require/enum")}

    extensions = registry.findall("extensions/extension")
    kept = [e for e in extensions if e.get("supported") != "disabled" and not e.get("provisional")]
    return values(registry.findall("feature")) | values(kept) | {
        e.get("name") for e in registry.findall("enums[@name='VkStructureType']/enum")}


def feature_structures(registry):
    """(name, enumerant, names of the features), sorted by name"""
    declared = values_of_headers(registry)
    for structure in sorted(registry.findall("types/type[@category='struct']"), key=lambda s: s.get("name")):
        if "VkPhysicalDeviceFeatures2" not in (structure.get("structextends") or "").split(","):
            continue
        members = members_of(structure)
        kind = next(m.get("values") for m in members if m.find("name").text == "sType")
        own = [m for m in members if m.find("name").text not in HEAD]
        if kind in declared and all(m.find("type").text == "VkBool32" for m in own):
            yield structure.get("name"), kind, [m.find("name").text for m in own]


def row(name, kind, members):
    listed = ", ".join(f'"{member}"' for member in members)
    return f'      {{{kind}, "{name}", {{{listed}}}}},\n'


def main():
    registry_path, source_path = sys.argv[1:]
    registry = xml.parse(registry_path).getroot()
    core = registry.find("types/type[@name='VkPhysicalDeviceFeatures']")
    with open(source_path, "w") as out:
        out.write("// Generated from vk.xml by generate_feature_names.py.\n"
                  '#include "icd/device/feature_names.h"\n\nnamespace cutaway::icd {\n\n'
                  "const std::vector<FeatureNames>& feature_names() {\n"
                  "  static const auto& names = *new std::vector<FeatureNames>{\n")
        out.write(row("VkPhysicalDeviceFeatures", "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2",
                      [m.find("name").text for m in members_of(core)]))
        out.writelines(row(*structure) for structure in feature_structures(registry))
        out.write("  };\n  return names;\n}\n\n}  // namespace cutaway::icd\n")


main()
