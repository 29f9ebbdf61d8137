#include "app/chip_offer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "arch/load_gathering.h"

namespace cutaway::app {
namespace {

// Members that differ from those of all that there is: "filter=R8_UNORM;blend=none".
template <class S>
std::string differing(S& some, S& all) {
  FieldTable table, whole;
  table.add("chip", some), whole.add("chip", all);
  std::vector<std::string> limited;
  for (size_t i = 0; i < table.fields().size(); i++) {
    const Field& field = *table.fields()[i];
    if (field.value() != whole.fields()[i]->value())
      limited.push_back(fmt::format("{}={}", field.name, field.value()));
  }
  return fmt::format("{}", fmt::join(limited, ";"));
}

}  // namespace

std::string without(const command_stream::Abilities& abilities) {
  using arch::Stage;
  std::vector<const char*> names;
  if (!abilities.stages.has(Stage::kGeometry)) names.push_back("geometry");
  if (!abilities.stages.has(Stage::kTessControl)) names.push_back("tessellation");
  // Vulkan has one feature for all stages before the rasteriser; it applies to those that the chip has.
  bool vertex_stores = abilities.atomics;
  for (const Stage stage : {Stage::kVertex, Stage::kTessControl, Stage::kTessEvaluation, Stage::kGeometry})
    vertex_stores &= abilities.stores.has(stage) || !abilities.stages.has(stage);
  if (!vertex_stores) names.push_back("vertex_stores");
  if (!abilities.atomics || !abilities.stores.has(Stage::kFragment)) names.push_back("fragment_stores");
  if (!abilities.pull) names.push_back("pull_interpolation");
  if (!abilities.doubles) names.push_back("doubles");
  if (!abilities.stages.has(Stage::kCompute)) names.push_back("compute_queue");
  // Textures that are resident in part came with tessellation: Direct3D 11.
  if (!abilities.stages.has(Stage::kTessControl)) names.push_back("sparse");
  return fmt::format("{}", fmt::join(names, ","));
}

std::string formats(const command_stream::Abilities& abilities) {
  arch::FormatUses uses = abilities.formats, all;
  return differing(uses, all);
}

std::string images(const command_stream::Abilities& abilities) {
  arch::ImageSizes sizes = abilities.images, all;
  return differing(sizes, all);
}

std::string programs(const command_stream::Abilities& abilities) {
  arch::ProgramLimits limits = abilities.programs, all;
  return differing(limits, all);
}

std::string loads(const machine::Config& gpu) {
  const machine::ShaderClass* shader = gpu.class_of(arch::Stage::kFragment);
  if (!shader) return {};
  // Threads have this many registers each if all are inside.
  arch::LoadGathering some{shader->unit.loads_under_way, shader->unit.registers_per_thread}, none;
  return some.under_way ? differing(some, none) : "";
}

std::string memory(const machine::Config& gpu, bool system_textures) {
  if (!gpu.bus.present() || gpu.bus.memory == boxes::BusMemory::kAll) return "";
  return system_textures ? "system,textures" : "system";
}

}  // namespace cutaway::app
