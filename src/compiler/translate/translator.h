#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/builder.h"
#include "compiler/module.h"

namespace cutaway::compiler {

// Elements that a dynamic index may choose from where each choice is a select: arrays in registers.
constexpr uint32_t kMaxDynamicElements = 256;
constexpr uint32_t kMaxChoices = 64;  // descriptors that a dynamic index may choose from
// Variables of which an index chooses from more elements lie in scratch memory: to load, to store.
constexpr uint32_t kSelectElements = 64, kSelectStores = 24;

// Output registers before they are numbered by use.
constexpr uint32_t kOutPosition = 0, kOutVarying = 1, kOutPointSize = 64, kOutLayer = 65, kOutViewport = 66,
                   kOutClip = 67;  // and 68
// Input registers of varyings and attributes are numbered by location; others as arch/registers.h has them.
// Varyings that a program evaluates at another place than their declaration says, by place and location.
constexpr uint32_t kInputElsewhere = 64;  // × (arch::SampleLocation + 1) + location

// What translation leaves beside the Ir.
struct Interface {
  std::unordered_map<uint32_t, isa::Varying> inputs;  // by location: mode and sample location
  std::vector<isa::SlotBinding> resources, samplers;
  uint32_t clip_distances = 0, cull_distances = 0;
  bool second_source = false;
  // Transform feedback: components of output registers before they are numbered, and bytes of a vertex.
  std::vector<arch::FeedbackOutput> feedback;
  std::array<uint32_t, arch::kFeedbackBuffers> feedback_stride{};
  uint32_t scratch_bytes = 0, shared_bytes = 0;
  bool per_sample = false;  // SamplePosition is read
};

// Storage class of variables of a function or module that are placed in scratch memory.
constexpr uint32_t kScratchStorage = ~0u;

class Translator {
 public:
  Translator(const Request& request, const Module& module) : request_(request), m_(module) {}
  void run();
  // Components of a constant that an operation on constants makes (OpSpecConstantOp).
  std::vector<uint32_t> evaluate(const Word& word);

  Builder b;
  Interface interface;

 private:
  using Lanes = Builder::Lanes;

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
    uint32_t matrix_stride = 0, component_stride = 4;  // buffers
    bool row_major = false;
  };
  // A memory of bytes: its instructions and what its addresses start at.
  struct Memory {
    Opcode load, store, atomic;
    uint8_t resource = 0;
    uint32_t base = 0;
    bool ordered = true;  // something may write what is loaded
  };
  struct Handle {  // an image, a sampler or both
    isa::SlotBinding image, sampler;
    uint32_t type = 0;  // OpTypeImage
    Choice image_choice, sampler_choice;
  };
  struct Value {
    Lanes lanes;
    uint32_t type = 0;
    uint32_t block = 0;     // where it is defined
    uint32_t slot = kNone;  // where uses find it that this block does not dominate
    std::optional<Pointer> pointer;
    std::optional<Handle> handle;
  };

  // Constructs that control can leave early.
  enum class FrameKind : uint8_t { kFunction, kSwitch, kLoop, kUnrolled };
  struct Frame {
    FrameKind kind = FrameKind::kFunction;
    uint32_t merge = 0, continues = 0;
    uint32_t active = kNone;                          // slot: all ones while lanes are inside
    uint32_t result = kNone;                          // function: slots of its return value
    uint64_t pending = 0;                             // loop: outer frames that lanes inside leave through it
    uint32_t nesting = 0;                             // unrolled: of the builder at its start
    bool broke = false;                               // unrolled: the last iteration left it
    std::unordered_map<uint32_t, uint32_t> falls_to;  // switch: case label → slot
  };
  // How control leaves a region: on to its natural end, or past it (bit per frame).
  struct Outcome {
    bool falls = false;
    uint64_t exits = 0;
  };
  static constexpr uint64_t kKilled = uint64_t{1} << 63;  // in Frame::pending: lanes that OpKill ended
  struct Scan {
    bool falls = false, leaves = false;
  };
  enum class Jump : uint8_t { kNatural, kStraight, kBreak, kContinue, kSwitchEnd, kNextCase };

  // translate.cpp: values and instructions
  [[noreturn]] void unsupported(const Word& word, const char* why = nullptr) const;
  uint32_t arg(const Word& word, size_t index) const;
  Value& define(uint32_t id, uint32_t type, Lanes lanes);
  Lanes get(uint32_t id);
  Lanes constant(uint32_t id);
  std::optional<uint32_t> literal_of(uint32_t id);
  const Value& value(uint32_t id) const;
  void instruction(const Word& word);
  Lanes composite(const Word& word);
  std::pair<uint32_t, uint32_t> member(uint32_t type, const std::span<const uint32_t>& path);
  Lanes vector_dynamic(const Word& word);

  // translate_alu.cpp
  bool alu(const Word& word, Lanes& result);
  bool comparison(const Word& word, Lanes& result);
  bool integer(const Word& word, Lanes& result);
  bool matrix(const Word& word, Lanes& result);
  Lanes divide(const Lanes& a, const Lanes& b);
  Lanes select(const Lanes& condition, const Lanes& yes, const Lanes& no);
  Lanes constant_lanes(float value, size_t count) { return Builder::splat(literal_float(value), count); }
  Lanes mul(const Lanes& a, const Lanes& c) { return b.op2(Opcode::kMul, a, c); }
  Lanes add(const Lanes& a, const Lanes& c) { return b.op2(Opcode::kAdd, a, c); }
  Lanes sub(const Lanes& a, const Lanes& c) { return b.op2(Opcode::kAdd, a, Builder::negate(c)); }
  Lanes mad(const Lanes& x, const Lanes& y, const Lanes& z) { return b.op3(Opcode::kMad, x, y, z); }
  Lanes carry(const Word& word, const Lanes& x, const Lanes& y);
  Lanes linear_combination(const Lanes& columns, const Lanes& factors);

  // translate_glsl.cpp
  Lanes glsl(const Word& word);
  // translate_interpolate.cpp
  Lanes interpolate_at(const Word& word, uint32_t op);
  Lanes sample_place(const Lanes& index);
  void move_inputs(const Word& word, uint32_t op, std::span<Ref> inputs);
  Lanes glsl_pack(const Word& word, uint32_t op, const Lanes& a);
  Lanes glsl_trigonometry(const Word& word, uint32_t op, const Lanes& a, const Lanes& second);
  Lanes glsl_geometry(const Word& word, uint32_t op, const std::vector<Lanes>& a);
  Lanes glsl_fraction(const Word& word, uint32_t op, const std::vector<Lanes>& a);
  Lanes determinant(const Lanes& m, uint32_t n);
  Lanes inverse(const Lanes& m, uint32_t n);
  Lanes atan(const Lanes& y_over_x);
  Lanes exp2(const Lanes& a) { return b.scalar(Opcode::kEx2, a); }
  Lanes log2(const Lanes& a) { return b.scalar(Opcode::kLg2, a); }
  Lanes polynomial(const Lanes& x, std::initializer_list<float> coefficients);  // highest power first

  // translate_memory.cpp
  void variables();
  void input_variable(const Word& word);
  void input_lanes(Lanes& lanes, uint32_t type, const Decorations& d, uint32_t location, uint32_t component);
  Lanes builtin_input(uint32_t builtin, uint32_t type);
  void variable(const Word& word, uint32_t storage);
  void access_chain(const Word& word);
  void step(Pointer& pointer, uint32_t index_id);
  Lanes load(const Pointer& pointer);
  Lanes load_registers(const Pointer& pointer, size_t step, uint32_t offset);
  Lanes load_buffer(const Pointer& pointer, size_t step, uint32_t offset);
  void buffer_components(const Pointer& p, uint32_t type, uint32_t offset, uint32_t component_stride,
                         uint32_t matrix_stride, bool row_major, std::vector<uint32_t>& bytes);
  Ref dynamic_offset(const Pointer& pointer);
  void store(const Pointer& pointer, const Lanes& value);
  void store_registers(const Pointer& pointer, size_t step, uint32_t offset, const Ref& condition,
                       const Lanes& value);
  // translate_scratch.cpp
  void find_scratch();
  void place(const Word& word, const Type& type);

  // translate_storage.cpp
  Memory memory_of(const Pointer& pointer);
  bool is_uniform(const Pointer& pointer) const;
  template <class Body>
  void for_each_choice(const Pointer& pointer, Body&& body);
  template <class Body>
  void for_each_choice(const Handle& handle, Body&& body);
  Lanes chooses(const Choice& choice, uint32_t element);
  Lanes access(const Handle& handle, Inst inst, bool sampled);
  Lanes array_length(const Pointer& pointer, uint32_t offset, uint32_t stride);
  std::vector<uint32_t> word_offsets(const Pointer& pointer, uint32_t offset);
  template <class Visit>
  void runs(const Pointer& pointer, const Memory& memory, Visit&& visit);
  Lanes load_words(const Pointer& pointer);
  void store_words(const Pointer& pointer, const Lanes& value);
  bool storage(const Word& word);
  void atomic(const Word& word);
  void array_length(const Word& word);

  void write_outputs();
  // A component of an output variable: where it lies, the register that it goes to, and where transform
  // feedback captures it.
  struct OutputTarget {
    uint32_t reg = 0, component = 0, slot = 0;
    std::optional<arch::FeedbackOutput> captured;
  };
  void output_targets(uint32_t type, uint32_t location, uint32_t component, const Decorations& d,
                      uint32_t& slot, std::vector<OutputTarget>& targets);
  uint32_t locations(uint32_t type) const;
  void repeat_distances(std::vector<OutputTarget>& targets) const;
  void capture_targets(const Decorations& d, std::span<OutputTarget> targets);
  uint32_t blocks(uint32_t type) const;
  void capture_after(uint32_t buffers, std::span<OutputTarget> targets);

  // translate_image.cpp
  uint8_t resource(const isa::SlotBinding& binding);
  Handle handle_of(const Pointer& pointer) const;
  void write_image(const Word& word);
  Inst image_access(const Word& word, Opcode op, const Handle& handle, const Lanes& coordinates);
  uint8_t sampler(const isa::SlotBinding& binding);
  bool image(const Word& word);
  void sample(const Word& word);
  void fetch(const Word& word);
  void query(const Word& word);
  void texture_result(const Word& word, const Handle& handle, Inst inst, bool sampled);
  void set_offset(const Word& word, const Lanes& offset, Inst& inst) const;
  void gather_each(const Word& word, const Handle& handle, Inst inst, const Lanes& offsets);

  // translate_flow.cpp
  Lanes call(uint32_t function, const std::vector<Value>& arguments);
  Outcome region(uint32_t label, uint32_t natural, bool header = false);
  Outcome branch(uint32_t from, uint32_t target, uint32_t natural, uint32_t& next);
  Outcome conditional(uint32_t label, const Word& word, uint32_t natural, uint32_t& next);
  bool conditional_exit(uint32_t from, const Ref& condition, uint32_t target, uint32_t natural);
  Outcome arm(uint32_t from, uint32_t target, uint32_t natural);
  Outcome rest(uint32_t merge, uint32_t natural, uint64_t exits, uint32_t& next);
  Outcome switch_(uint32_t label, const Word& word, uint32_t natural, uint32_t& next);
  Outcome loop(uint32_t label, uint32_t natural, uint32_t& next);
  bool unroll(uint32_t label);
  Outcome terminate(bool kill);
  Outcome leave_function(const Word& word, uint32_t natural);
  void edge(uint32_t from, uint32_t to);
  bool has_phis(uint32_t label) const;
  const Label& block(uint32_t label) const;
  Jump classify(uint32_t target, uint32_t natural, uint32_t& frame) const;
  Scan scan(uint32_t start, uint32_t merge, uint32_t natural) const;
  std::vector<uint32_t> successors(const Word& end) const;
  uint32_t falls_into(uint32_t start, uint32_t merge) const;
  bool in_loop(uint32_t frame) const;  // a real loop is open within that frame
  void work(uint32_t amount = 1);

  const Request& request_;
  const Module& m_;
  std::unordered_map<uint32_t, Value> values_;
  std::unordered_map<uint32_t, uint32_t> slots_;   // variable → first slot
  std::unordered_set<uint32_t> in_scratch_;        // variables that are indexed by more than selects can do
  std::unordered_map<uint32_t, uint32_t> placed_;  // variables in scratch or workgroup memory → byte
  bool writes_memory_ = false;                     // the module stores to buffers or images
  std::unordered_map<uint32_t, Lanes> inputs_;     // input variable → components
  std::unordered_map<uint32_t, uint32_t> phi_slots_;  // OpPhi → first slot
  std::vector<Frame> frames_;
  uint32_t alive_ = kNone;  // slot: all ones until OpKill
  uint32_t depth_ = 0, work_ = 0, calls_ = 0;
  bool unrolling_failed_ = false;
  uint32_t unrolling_ = 0;
};

// Whether the index chooses that element, for each lane; nothing where a constant has chosen.
inline Builder::Lanes Translator::chooses(const Choice& choice, uint32_t element) {
  return choice.id ? b.op2(Opcode::kIeq, get(choice.id), {literal(element)}) : Lanes{};
}

// Calls body(pointer, condition) for every descriptor that a dynamic index may choose; without such an index
// once, and the condition is empty.
template <class Body>
void Translator::for_each_choice(const Pointer& p, Body&& body) {
  Pointer one = p;
  one.choice = {};
  for (uint32_t i = 0; i < std::max(1u, p.choice.count); ++i) {
    if (p.choice.id) one.element = i;
    body(one, chooses(p.choice, i));
  }
}

// The same for images with their samplers.
template <class Body>
void Translator::for_each_choice(const Handle& h, Body&& body) {
  const Choice &images = h.image_choice, &samplers = h.sampler_choice;
  const bool together = images.id == samplers.id;  // or neither
  Handle one = h;
  one.image_choice = one.sampler_choice = {};
  for (uint32_t i = 0; i < std::max(1u, images.count); ++i)
    for (uint32_t k = 0; k < (together ? 1 : std::max(1u, samplers.count)); ++k) {
      if (images.id) one.image.element = i;
      if (samplers.id) one.sampler.element = together ? i : k;
      Lanes here = chooses(images, i);
      if (const Lanes other = together ? Lanes{} : chooses(samplers, k); !other.empty())
        here = here.empty() ? other : b.op2(Opcode::kAnd, here, other);
      body(one, here);
    }
}

}  // namespace cutaway::compiler
