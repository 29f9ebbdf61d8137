#include "report/levers.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

namespace cutaway::report {
namespace {

// Tables of parameters that tell how fast units of a kind are, besides the table of the kind's name.
const std::map<std::string, std::vector<std::string>> kOwners = {
    {"memory_controller", {"memory"}}, {"z_stencil", {"rop"}},
    {"color_write", {"rop"}},          {"primitive_assembly", {"geometry", "streamer"}},
    {"clipper", {"geometry"}},         {"triangle_setup", {"geometry"}},
    {"streamer", {"geometry"}},        {"texture_arbiter", {"texture_cache"}}};

// Parameters of units that have no rate: what they hold at a time hides their latency.
const std::map<std::string, std::vector<std::string>> kRooms = {
    {"interpolator", {"interpolator.depth"}},
    {"reorder_buffer", {"reorder_buffer.entries"}},
    {"group_fifo", {"group_fifo.groups"}},
    {"geometry_shading", {"geometry_shading.groups", "geometry_shading.output_vertices"}},
    {"tessellation", {"tessellation.groups", "tessellation.queue"}},
    {"copy_engine", {"copy_engine.chunks"}},
    {"constant_loader", {"constant_loader.sectors"}},
    {"compute_distributor", {"compute_distributor.dispatches"}},
    {"hierarchical_z", {"hierarchical_z.entries", "hierarchical_z.surfaces"}},
    {"bus", {"bus.requests"}},
    {"address_translation", {"translation.entries", "translation.l2_entries", "translation.walks"}},
    {"host", {"host.cpu"}},
    {"dac", {"dac.sectors"}},
    {"streamer", {"streamer.queue", "streamer.slots"}}};

bool is_rate(const std::string& name) {
  return name == "units" || name == "channels" || name == "slices" || name.ends_with("_per_cycle") ||
         name.ends_with("_words");
}

std::vector<Lever> levers_of(RunReader& run, const std::vector<std::pair<std::string, bool>>& parameters) {
  std::vector<Lever> levers;
  for (const auto& [parameter, more] : parameters) add_lever(run, parameter, more, levers);
  return levers;
}

}  // namespace

void add_lever(RunReader& run, const std::string& parameter, bool more, std::vector<Lever>& levers) {
  const std::string text = run.parameter(parameter).value_or("");
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return;
  constexpr uint64_t kMost = uint64_t{1} << 40;
  std::string twice = value < kMost ? std::to_string(2 * value) : "", half;
  if (value > 1) half = std::to_string(value / 2);
  if (!more) std::swap(twice, half);
  levers.push_back({parameter, std::move(twice), std::move(half)});
}

std::vector<Lever> rate_levers(RunReader& run, const std::string& kind) {
  std::vector<std::string> owners = {kind};
  if (const auto more = kOwners.find(kind); more != kOwners.end())
    owners.insert(owners.end(), more->second.begin(), more->second.end());
  std::vector<Lever> levers;
  for (const std::string& owner : owners)
    for (const std::string& parameter : run.parameters(owner)) {
      const std::string name = parameter.substr(owner.size() + 1);
      if (is_rate(name)) add_lever(run, parameter, true, levers);
      else if (name.ends_with("_cycles") && parameter != "work_distributor.gather_cycles")
        add_lever(run, parameter, false, levers);  // that one helps only if groups are not full
    }
  for (Lever& lever : room_levers(run, kind)) levers.push_back(std::move(lever));
  return levers;
}

std::vector<Lever> room_levers(RunReader& run, const std::string& kind) {
  std::vector<Lever> levers;
  if (const auto rooms = kRooms.find(kind); rooms != kRooms.end())
    for (const std::string& parameter : rooms->second) add_lever(run, parameter, true, levers);
  return levers;
}

std::vector<Lever> cache_levers(RunReader& run, const std::string& kind) {
  return levers_of(run, {{kind + ".cache_lines", true}, {"memory.latency", false}});
}

std::vector<Lever> memory_levers(RunReader& run) {
  return levers_of(run,
                   {{"memory.channels", true}, {"memory.bytes_per_cycle", true}, {"gpu.memory_mhz", true}});
}

std::vector<Lever> issue_levers(RunReader& run, const std::string& kind) {
  return levers_of(run, {{kind + ".units", true}, {kind + ".ways", true}});
}

std::vector<Lever> wait_levers(RunReader& run, const std::string& kind, size_t wait) {
  enum Wait { kFlow, kResult, kIssue, kSend, kTexture, kDrain, kOutput };
  switch (wait) {
    case kFlow:
      return levers_of(run, {{kind + ".flow_latency", false}, {kind + ".threads", true}});
    case kResult:
    case kDrain:
      return levers_of(run, {{kind + ".threads", true}, {kind + ".simd_latency", false}});
    case kIssue:
      return issue_levers(run, kind);
    case kSend:
      return levers_of(run, {{"texture.queue", true}, {"texture.steps_per_cycle", true}});
    case kTexture:
      return levers_of(run, {{kind + ".threads", true},
                             {"texture.steps_per_cycle", true},
                             {"texture.cache_lines", true},
                             {"memory.latency", false}});
    case kOutput:
      return levers_of(run, {{"reorder_buffer.entries", true}, {"rop.units", true}});
    default:
      return {};
  }
}

std::vector<Lever> retrace_levers(RunReader& run) {
  std::vector<Lever> levers =
      levers_of(run, {{"command_processor.presents", true}, {"dac.refresh_hz", true}});
  const bool waits = run.parameter("dac.present_mode").value_or("") != "immediate";
  if (waits && run.parameter("command_processor.presents").value_or("1") != "1")
    levers.push_back({"dac.present_mode", "immediate", ""});
  return levers;
}

std::vector<Lever> translation_levers(RunReader& run) {
  std::vector<Lever> levers = room_levers(run, "address_translation");
  if (run.parameter("translation.pages") == "4KB") levers.push_back({"translation.pages", "64KB", ""});
  return levers;
}

std::vector<Lever> starvation_levers(RunReader& run) {
  return levers_of(run, {{"streamer.queue", true},
                         {"streamer.slots", true},
                         {"streamer.attributes_per_cycle", true},
                         {"memory.latency", false}});
}

std::vector<Lever> balance_levers(RunReader& run, const std::string& kind) {
  const bool rop = kind == "z_stencil" || kind == "color_write";
  const bool front =
      kind == "streamer" || kind == "primitive_assembly" || kind == "clipper" || kind == "triangle_setup";
  if (rop) return levers_of(run, {{"rop.tile", false}});
  if (front) return levers_of(run, {{"geometry.batch", false}});
  return levers_of(run, {{kind + ".tile", false}});
}

}  // namespace cutaway::report
