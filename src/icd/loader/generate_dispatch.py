#!/usr/bin/env python3
"""Writes the driver's entry point declarations, stubs and dispatch table from the Vulkan registry.

usage: generate_dispatch.py vk.xml extension_list.h entry_points.h dispatch_table.cpp

Covers the commands of Vulkan 1.0 to 1.3 and of the extensions in extension_list.h. Every command gets a
weak definition that refuses by name; the driver's own definition, where there is one, replaces it. Commands
that a secondary command buffer may hold are dispatched to a function that keeps the call and copies of what
its pointers show, when the command buffer is one, and calls the definition otherwise.
"""
import re
import sys
import xml.etree.ElementTree as xml

VERSIONS = ("1.0", "1.1", "1.2", "1.3")
# What these show is not copied by a rule: they keep it themselves.
KEEP_THEMSELVES = {"vkCmdSetSampleMaskEXT", "vkCmdPushDescriptorSetKHR", "vkCmdPushDescriptorSetWithTemplateKHR", "vkCmdDrawMultiEXT",
                   "vkCmdDrawMultiIndexedEXT", "vkCmdBeginDebugUtilsLabelEXT", "vkCmdInsertDebugUtilsLabelEXT",
                   "vkCmdDebugMarkerBeginEXT", "vkCmdDebugMarkerInsertEXT",
                   "vkCmdPipelineBarrier2", "vkCmdBeginRendering", "vkCmdSetEvent2", "vkCmdWaitEvents2"}


def parse_commands(registry):
    """name -> (return type, [(text, type, name, length of the array)]), alias -> name, those of secondary buffers"""
    commands, aliases, secondary = {}, {}, set()
    for command in registry.findall("commands/command"):
        if command.get("api", "vulkan") != "vulkan":
            continue
        if command.get("alias"):
            aliases[command.get("name")] = command.get("alias")
            continue
        proto = command.find("proto")
        parameters = []
        for parameter in command.findall("param"):
            if "vulkan" not in parameter.get("api", "vulkan").split(","):
                continue
            text = re.sub(r"\s+", " ", "".join(parameter.itertext())).strip()
            parameters.append((text, parameter.find("type").text, parameter.find("name").text, parameter.get("len")))
        commands[proto.find("name").text] = (proto.find("type").text, parameters)
        if "secondary" in command.get("cmdbufferlevel", "") and proto.find("name").text not in KEEP_THEMSELVES:
            secondary.add(proto.find("name").text)
    return commands, aliases, secondary


def structures_with_pointers(registry):
    """Structures that show more than Kept (command_buffer_base.h) holds: a pNext chain and a list of regions."""
    return {t.get("name") for t in registry.findall("types/type") if t.get("category") == "struct"
            and any("*" in "".join(m.itertext()) and m.find("name").text not in ("pNext", "pRegions")
                    for m in t.findall("member"))}


def provided(registry, extensions):
    """command name -> who provides it: a version or an extension, the first that does"""
    providers = {}

    def take(block, provider):
        for require in block.findall("require"):
            if require.get("api", "vulkan") != "vulkan":
                continue
            feature, extension = require.get("feature"), require.get("extension")
            depends = require.get("depends")
            if feature and feature.removeprefix("VK_VERSION_").replace("_", ".") not in VERSIONS:
                continue
            if extension and extension not in extensions:
                continue
            if depends and not any(d in extensions or d.removeprefix("VK_VERSION_").replace("_", ".") in VERSIONS
                                   for d in re.split(r"[,+()]+", depends)):
                continue
            for command in require.findall("command"):
                providers.setdefault(command.get("name"), provider)

    for feature in registry.findall("feature"):
        if feature.get("number") in VERSIONS and "vulkan" in feature.get("api").split(","):
            take(feature, feature.get("number"))
    for extension in registry.findall("extensions/extension"):
        if extension.get("name") in extensions:
            take(extension, extension.get("name"))
    missing = extensions - {e.get("name") for e in registry.findall("extensions/extension")}
    if missing:
        sys.exit(f"generate_dispatch.py: extensions that the registry does not know: {', '.join(sorted(missing))}")
    return providers


def stub_body(name, result, parameters):
    if name.startswith("vkCmd"):
        return f'refuse_command({parameters[0][2]}, "{name}");'
    if result == "VkResult":
        return f'return refuse("{name}");'
    return f'refuse("{name}");' + ("" if result == "void" else " return {};")


def kept_parameter(command, parameter, deep):
    """What keeps the value of a pointer or array parameter, or None for a plain value."""
    text, kind, name, length = parameter
    array = re.search(r"\[(\d+)\]", text)
    if array:
        return f"Kept({name}, {array.group(1)})"
    if "*" not in text:
        return None
    if kind in deep or text.count("*") > 1 or (length and not length.isidentifier()):
        sys.exit(f"generate_dispatch.py: {command}: cannot keep {text} for a secondary command buffer")
    if kind == "void":
        return f"Kept(static_cast<const std::byte*>({name}), {length})"
    return f"Kept({name}, {length or 1})"


def deferred_function(command, parameters, deep):
    kept = {p[2]: k for p in parameters if (k := kept_parameter(command, p, deep))}
    first = parameters[0][2]
    captures = "".join(f", kept_{name} = {value}" for name, value in kept.items())
    arguments = ["to"] + [f"kept_{p[2]}.data()" if p[2] in kept else p[2] for p in parameters[1:]]
    return (f"void Deferred{command[2:]}({', '.join(p[0] for p in parameters)}) {{\n"
            f"  if (defers({first}))\n"
            f"    return defer({first}, [&] {{\n"
            f"      return DeferredCommand([={captures}](VkCommandBuffer to) {{ {command[2:]}({', '.join(arguments)}); }});\n"
            "    });\n"
            f"  {command[2:]}({', '.join(p[2] for p in parameters)});\n}}\n")


def level(parameters, name):
    first = parameters[0][1] if parameters else ""
    if name == "vkCreateInstance" or first not in (
            "VkInstance", "VkPhysicalDevice", "VkDevice", "VkQueue", "VkCommandBuffer"):
        return "kGlobal"
    if first == "VkInstance":
        return "kInstance"
    return "kPhysicalDevice" if first == "VkPhysicalDevice" else "kDevice"


def main():
    registry_path, list_path, header_path, source_path = sys.argv[1:]
    registry = xml.parse(registry_path).getroot()
    extensions = set(re.findall(r"\bX\((VK_\w+),", open(list_path).read()))
    commands, aliases, secondary = parse_commands(registry)
    deep = structures_with_pointers(registry)
    providers = provided(registry, extensions)

    def canonical(name):
        while name in aliases:
            name = aliases[name]
        return name

    needed = sorted({canonical(name) for name in providers})
    signatures = {}
    for name in needed:
        result, parameters = commands[name]
        signatures[name] = f"{result} {name[2:]}({', '.join(p[0] for p in parameters)})"

    with open(header_path, "w") as out:
        out.write("// Generated from vk.xml by generate_dispatch.py.\n#pragma once\n\n"
                  '#include "icd/vulkan.h"\n\nnamespace cutaway::icd {\n\n')
        out.writelines(f"{signatures[name]};\n" for name in needed)
        out.write("\n}  // namespace cutaway::icd\n")

    with open(source_path, "w") as out:
        out.write("// Generated from vk.xml by generate_dispatch.py.\n"
                  '#include "icd/command/command_buffer_base.h"\n#include "icd/loader/dispatch.h"\n#include "icd/entry_points.h"\n\n'
                  'namespace cutaway::icd {\n\n'
                  '#pragma GCC diagnostic ignored "-Wunused-parameter"\n\n')
        for name in needed:
            result, parameters = commands[name]
            out.write(f"[[gnu::weak]] {signatures[name]} {{ {stub_body(name, result, parameters)} }}\n")
        deferred = [name for name in needed if name in secondary]
        out.write("\nnamespace {\n\n")
        out.writelines(deferred_function(name, commands[name][1], deep) for name in deferred)
        out.write("\n}  // namespace\n\nconst EntryPoint kEntryPoints[] = {\n")
        for name in sorted(providers):
            target = canonical(name)
            function = f"Deferred{target[2:]}" if target in secondary else target[2:]
            out.write(f'    {{"{name}", reinterpret_cast<PFN_vkVoidFunction>(&{function}), '
                      f'CommandLevel::{level(commands[target][1], target)}, "{providers[name]}"}},\n')
        out.write("};\nconst size_t kEntryPointCount = sizeof kEntryPoints / sizeof kEntryPoints[0];\n"
                  "\n}  // namespace cutaway::icd\n")


main()
