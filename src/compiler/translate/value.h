#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/builder.h"
#include "compiler/translate/pointer_flow.h"

// What ids of a module stand for while it is translated, and what translation leaves beside the Ir.
namespace cutaway::compiler {

using Lanes = Builder::Lanes;

// Storage class of variables of a function or module that are placed in scratch memory.
constexpr uint32_t kScratchStorage = ~0u;
// That of what lies in the memory of a patch: outputs of control, inputs of evaluation programs.
constexpr uint32_t kPatchStorage = ~1u;

// A dynamic step of an access chain: index × stride (components or bytes) of `count` elements.
struct Step {
  uint32_t id = 0, stride = 0, count = 0;
};

// A dynamic index into an array of descriptors.
struct Choice {
  uint32_t id = 0, count = 0;  // of the index, and how many it chooses from; 0: a constant chooses
};

struct Pointer {
  uint32_t variable = 0, storage = 0, type = 0;
  uint32_t offset = 0;   // components, in buffers bytes
  uint32_t element = 0;  // of an array of descriptors
  bool chose_element = false;
  Choice choice;  // of the element
  std::vector<Step> steps;
  uint32_t vertex = 0;  // id of the index that chooses a vertex of the primitive; 0: none has yet
  // In the memory of a patch: where it lies, by location and component, whether in the patch or in a vertex
  // of it, and whether elements of arrays are components that follow one another, as those of built-ins are.
  uint32_t location = 0, component = 0;
  bool of_patch = false, packed = false;
  uint32_t matrix_stride = 0, component_stride = 0;  // buffers; 0: of components without gaps
  bool row_major = false;
  bool coherent = false;  // loads see what others have stored
  // Id of the two words that it starts at; 0: it starts at a variable. They are an address, the low word
  // first; of variable pointers the byte in a buffer and the buffer's number, 0 of null.
  uint32_t address = 0;
  std::shared_ptr<const PointerRoots> roots;  // a variable pointer into one of these buffers; null: chosen
};

// An image, a sampler or both.
struct Handle {
  isa::SlotBinding image, sampler;
  uint32_t type = 0;  // OpTypeImage
  Choice image_choice, sampler_choice;
  bool coherent = false;  // of the image: loads see what others have stored
};

struct Value {
  Lanes lanes;
  uint32_t type = 0;
  uint32_t block = 0;     // where it is defined
  uint32_t slot = kNone;  // where uses find it that this block does not dominate
  std::optional<Pointer> pointer;
  std::optional<Handle> handle;

  // It has lanes. Of a pointer that is a value they are where it points to.
  bool plain() const { return (!pointer || !lanes.empty()) && !handle; }
};

// Output registers before they are numbered by use.
constexpr uint32_t kOutPosition = 0, kOutVarying = 1, kOutPointSize = 64, kOutLayer = 65, kOutViewport = 66,
                   kOutClip = 67;  // and 68
constexpr uint32_t kOutPrimitiveId = 69;
// Cull distances of programs that write their outputs more than once: their place behind the clip distances
// is known at the end.
constexpr uint32_t kOutCull = 70;  // and 71
// Input registers of varyings and attributes are numbered by location; others as arch/registers.h has them.
// Varyings that a program evaluates at another place than their declaration says, by place and location.
constexpr uint32_t kInputElsewhere = 64;  // × (arch::SampleLocation + 1) + location

struct Interface {
  std::unordered_map<uint32_t, isa::Varying> inputs;  // by location: mode and sample location
  std::vector<isa::SlotBinding> resources, samplers;
  uint32_t clip_distances = 0, cull_distances = 0;
  bool second_source = false;
  // Transform feedback: components of output registers before they are numbered, and bytes of a vertex.
  std::vector<arch::FeedbackOutput> feedback;
  std::array<uint32_t, arch::kFeedbackBuffers> feedback_stride{};
  uint32_t scratch_bytes = 0, shared_bytes = 0;
  isa::PatchLayout patch;
  bool per_sample = false;  // SamplePosition is read

  // The slot of a descriptor. UnsupportedShader: more of them than there are slots.
  uint8_t resource(const isa::SlotBinding& binding);
  uint8_t sampler(const isa::SlotBinding& binding);
};

}  // namespace cutaway::compiler
