#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/builder.h"
#include "compiler/translate/pointer_flow.h"
#include "compiler/translate/pointer_layout.h"

// Values of a module's ids during translation, and results of translation besides the Ir.
namespace cutaway::compiler {

using Lanes = Builder::Lanes;

// Storage class of function or module variables in scratch memory.
constexpr uint32_t kScratchStorage = ~0u;
// Storage class of data in patch memory: outputs of control, inputs of evaluation programs.
constexpr uint32_t kPatchStorage = ~1u;

// A dynamic step of an access chain: index × stride (components or bytes) of `count` elements.
struct Step {
  uint32_t id = 0, stride = 0, count = 0;
};

// A dynamic index into an array of descriptors.
struct Choice {
  uint32_t id = 0, count = 0;  // of the index, and number of choices; 0: a constant index
};

struct Pointer {
  uint32_t variable = 0, storage = 0, type = 0;
  uint32_t offset = 0;   // in components; in buffers in bytes
  uint32_t element = 0;  // of an array of descriptors
  bool chose_element = false;
  Choice choice;  // for the element
  std::vector<Step> steps;
  uint32_t vertex = 0;  // id of the index that selects a vertex of the primitive; 0: not selected yet
  // In patch memory: the place by location and component; whether it is in the patch or in a vertex; whether
  // array elements are consecutive components, as in built-ins.
  uint32_t location = 0, component = 0;
  bool of_patch = false, packed = false;
  PointerLayout layout;   // in buffers
  bool coherent = false;  // loads see the stores of others
  // Id of the two words of its base; 0: it starts at a variable. They are an address, low word first; for
  // variable pointers the byte in a buffer and the buffer's number, 0 for null.
  uint32_t address = 0;
  std::shared_ptr<const PointerRoots> roots;  // possible targets of a variable pointer; null: chosen already
};

// An image, a sampler or both.
struct Handle {
  isa::SlotBinding image, sampler;
  uint32_t type = 0;  // OpTypeImage
  Choice image_choice, sampler_choice;
  bool coherent = false;  // of the image: loads see the stores of others
};

struct Value {
  Lanes lanes;
  uint32_t type = 0;
  uint32_t block = 0;     // the block that defines it
  uint32_t slot = kNone;  // slot through which uses that this block does not dominate read it
  std::optional<Pointer> pointer;
  std::optional<Handle> handle;

  // True if it has lanes. For a pointer value these are the pointer itself.
  bool plain() const { return (!pointer || !lanes.empty()) && !handle; }
};

// Output registers before numbering by use.
constexpr uint32_t kOutPosition = 0, kOutVarying = 1, kOutPointSize = 64, kOutLayer = 65, kOutViewport = 66,
                   kOutClip = 67;  // and 68
constexpr uint32_t kOutPrimitiveId = 69;
// Cull distances of programs that write their outputs repeatedly: their position after the clip distances is
// known only at the end.
constexpr uint32_t kOutCull = 70;  // and 71
// Input registers of varyings and attributes are numbered by location; others as in arch/registers.h.
// Varyings evaluated at another place than declared are numbered by place and location.
constexpr uint32_t kInputElsewhere = 64;  // × (arch::SampleLocation + 1) + location

struct Interface {
  std::unordered_map<uint32_t, isa::Varying> inputs;  // by location: mode and sample location
  std::vector<isa::SlotBinding> resources, samplers;
  uint32_t clip_distances = 0, cull_distances = 0;
  bool second_source = false;
  // Transform feedback: components of output registers before numbering, and bytes per vertex.
  std::vector<arch::FeedbackOutput> feedback;
  std::array<uint32_t, arch::kFeedbackBuffers> feedback_stride{};
  uint32_t scratch_bytes = 0, shared_bytes = 0;
  isa::PatchLayout patch;
  bool per_sample = false;  // SamplePosition is read

  // The slot of a descriptor. UnsupportedShader: there are too many.
  uint8_t resource(const isa::SlotBinding& binding);
  uint8_t sampler(const isa::SlotBinding& binding);
};

}  // namespace cutaway::compiler
