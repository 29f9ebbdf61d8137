#pragma once

#include <string_view>

#include "arch/format_uses.h"
#include "arch/image_sizes.h"
#include "arch/load_gathering.h"
#include "arch/program_limits.h"
#include "icd/vulkan.h"

namespace cutaway::icd {

constexpr uint32_t kApiVersion = VK_API_VERSION_1_3;  // of this driver

// What chips may lack. The driver offers all of it, but for what CUTAWAY_WITHOUT in the environment names and
// for formats that CUTAWAY_FORMATS leaves out, so that programs do without what the chip that is to run their
// frames does not have.
struct Offer {
  bool geometry = true, tessellation = true;
  bool vertex_stores = true, fragment_stores = true;  // storage writes and atomics of programs
  // Fragment programs ask for interpolants at places of their own. Without it they are worked out from
  // derivatives: no feature goes.
  bool pull = true;
  bool doubles = true;        // 64-bit floats in programs of all stages
  bool compute_queue = true;  // a second family of queues, for compute programs and copies
  bool sparse = true;         // sparse buffers and images
  // Programs are compiled for a chip with registers of halves (CUTAWAY_HALVES): no feature goes or comes.
  bool halves = false;
  bool fog = false;  // the same of a chip with a fog unit (CUTAWAY_FOG)
  arch::FormatUses formats;
  arch::ImageSizes images;
  arch::ProgramLimits programs;
  arch::LoadGathering loads;  // of programs that are compiled (CUTAWAY_LOADS)
  // The chip reaches system memory over a bus (CUTAWAY_MEMORY): it has types of memory of its own, and the
  // driver keeps commands there.
  bool system_memory = false;
  bool textures_in_system = false;  // images that are only sampled and copied lie there
  // The version of Vulkan that the device offers, CUTAWAY_VULKAN: of kApiVersion or an older one.
  uint32_t version = kApiVersion;

  bool streams() const { return geometry || tessellation; }
  // VK_KHR_driver_properties, part of version 1.2: its conformanceVersion says that the driver has not passed
  // the conformance tests. Older devices say nothing of that.
  bool driver_properties() const { return version >= VK_API_VERSION_1_2; }
  bool has(VkPrimitiveTopology topology) const;
  bool has(VkShaderStageFlagBits stage) const;
};

const Offer& offer();

// Of the text of the variable, which holds names of what Offer has, separated by commas.
Offer offer_without(std::string_view names);
// Of the text of the other, "fragment_texture=R8_UNORM,R8G8_UNORM;target=none": uses of formats, those that
// it does not name of all formats. What is wrong is reported and changes nothing.
arch::FormatUses formats_offered(std::string_view text);
// The same of CUTAWAY_IMAGES, "size=8192;cube_size=8192": sizes that it does not name are the largest.
arch::ImageSizes images_offered(std::string_view text);
// The same of CUTAWAY_PROGRAMS, "color_targets=4;varyings=10": limits that it does not name are the
// contract's.
arch::ProgramLimits programs_offered(std::string_view text);
// The same of CUTAWAY_LOADS, "under_way=16;temporaries=4".
arch::LoadGathering loads_gathered(std::string_view text);
// Reads the text of CUTAWAY_MEMORY, "system" or "system,textures", into the two members above. Any other text
// is reported and changes nothing.
void read_memory(std::string_view text, Offer& offer);
// Reads the text of CUTAWAY_VULKAN, "1.0" to "1.3". Any other text is reported and changes nothing.
uint32_t version_offered(std::string_view text);

}  // namespace cutaway::icd
