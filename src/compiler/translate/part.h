#pragma once

#include <map>

#include "compiler/refusal.h"
#include "compiler/translate/values.h"

// The common base of all parts of a translation.
namespace cutaway::compiler {

// State shared by the parts: the module, the output, and the values of ids.
struct Translation {
  Translation(const Request& request_to, const Module& its_module)
      : request(request_to), module(its_module), values(module, builder, work) {}
  Translation(const Translation&) = delete;
  Translation& operator=(const Translation&) = delete;

  const Request& request;
  const Module& module;
  Builder builder;
  Interface interface;
  Work work;
  Values values;
  bool writes_memory = false;  // the module stores to buffers or images
  // Operands that the current instruction reads in another form than they are stored.
  std::unordered_map<uint32_t, Lanes> read_as;
  std::map<Ref, Ref> half_of_bits;  // the half whose 16 bits a word is

  // A snapshot for undoing a translation.
  struct State {
    Builder builder;
    Interface interface;
    Values::State values;
  };
  State state() const { return {builder, interface, values.state()}; }
  void restore(State state);
};

class Part {
 public:
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

 protected:
  explicit Part(Translation& t)
      : request_(t.request),
        m_(t.module),
        b(t.builder),
        interface(t.interface),
        work(t.work),
        values_(t.values),
        t_(t) {}
  ~Part() = default;

  Value& define(uint32_t id, uint32_t type, Lanes lanes) {
    return values_.define(id, type, std::move(lanes));
  }
  const Value& value(uint32_t id) const { return values_.at(id); }
  Lanes get(uint32_t id) {
    const auto found = t_.read_as.find(id);
    return found == t_.read_as.end() ? values_.get(id) : found->second;
  }
  // An index as a signed word.
  Lanes index_of(uint32_t id);
  // The low word of each component of an integer operand. Integers of less than a word have zeros above.
  Lanes low_words(uint32_t id);
  // An operand of any width as words: integers with their signs, or 32-bit floats.
  Lanes as_words(uint32_t id);
  // Types whose size is not one word (widths.cpp).
  const Type& scalar_of(uint32_t id) const;  // void if there is no scalar
  static bool is_small(const Type& scalar) { return scalar.bits < 32; }
  static bool is_double(const Type& scalar) { return scalar.kind == TypeKind::kFloat && scalar.bits == 64; }
  // Converts results computed in words to the stored form of a type.
  Lanes narrowed(uint32_t type, const Lanes& words);
  // Rounds to the nearest halves, which a chip with registers of halves may keep there.
  Lanes rounded_to_halves(const Lanes& floats);
  // Converts unsigned words, which the type can hold, to the stored form of an integer type.
  Lanes unsigned_result(uint32_t type, const Lanes& words);
  // Converts integers from the stored form to signed words.
  Lanes sign_extended(const Type& scalar, const Lanes& kept);
  // Convert `count` values between the stored form and the form in memory, in words.
  Lanes packed(const Type& scalar, const Lanes& kept);
  Lanes unpacked(const Type& scalar, const Lanes& words, size_t count);
  std::optional<uint32_t> literal_of(uint32_t id) { return values_.literal_of(id); }
  // A component of an operand. InvalidShader: it has fewer; the validator does not check every case.
  const Ref& component(const Lanes& lanes, size_t index) const;

  // Arithmetic, component by component
  Lanes divide(const Lanes& x, const Lanes& y) { return mul(x, b.scalar(Opcode::kRcp, y)); }
  Lanes select(const Lanes& condition, const Lanes& yes, const Lanes& no);
  static Lanes constant_lanes(float value, size_t count) {
    return Builder::splat(literal_float(value), count);
  }
  Lanes mul(const Lanes& x, const Lanes& y) { return b.op2(Opcode::kMul, x, y); }
  Lanes add(const Lanes& x, const Lanes& y) { return b.op2(Opcode::kAdd, x, y); }
  Lanes sub(const Lanes& x, const Lanes& y) { return b.op2(Opcode::kAdd, x, Builder::negate(y)); }
  Lanes mad(const Lanes& x, const Lanes& y, const Lanes& z) { return b.op3(Opcode::kMad, x, y, z); }

  // Calls body(pointer, condition) for every descriptor that a dynamic index may choose, or every buffer that
  // a variable pointer may point to. Without a choice, calls it once with an empty condition. Never calls it
  // for a variable pointer that is always null.
  template <class Body>
  void for_each_choice(const Pointer& pointer, Body&& body);
  // The same for images with their samplers.
  template <class Body>
  void for_each_choice(const Handle& handle, Body&& body);

  const Request& request_;
  const Module& m_;
  Builder& b;
  Interface& interface;
  Work& work;
  Values& values_;
  Translation& t_;

  // The number of the buffer that a variable pointer points to; for an array of blocks, after indexing.
  Ref buffer_number(const Pointer& pointer);

 private:
  // True in each lane whose index chooses that element; empty if the index is constant.
  Lanes chooses(const Choice& choice, uint32_t element) {
    return choice.id ? b.op2(Opcode::kIeq, index_of(choice.id), {literal(element)}) : Lanes{};
  }
};

template <class Body>
void Part::for_each_choice(const Pointer& p, Body&& body) {
  Pointer one = p;
  one.choice = {};
  one.roots = nullptr;
  if (p.roots) {
    const bool only = p.roots->size() == 1;
    const Lanes leads = only ? Lanes{} : Lanes{buffer_number(p)};
    for (const auto& [number, root] : *p.roots) {
      one.variable = root.variable, one.element = root.element;
      one.coherent = p.coherent || m_.decoration(root.variable).coherent;
      body(one, only ? Lanes{} : b.op2(Opcode::kIeq, leads, {literal(number)}));
    }
    return;
  }
  for (uint32_t i = 0; i < std::max(1u, p.choice.count); ++i) {
    if (p.choice.id) one.element = i;
    body(one, chooses(p.choice, i));
  }
}

template <class Body>
void Part::for_each_choice(const Handle& h, Body&& body) {
  const Choice &images = h.image_choice, &samplers = h.sampler_choice;
  const bool together = images.id == samplers.id;  // equal ids, or none: then a valid index is valid for both
  const uint32_t count = together ? std::min(images.count, samplers.count) : images.count;
  Handle one = h;
  one.image_choice = one.sampler_choice = {};
  for (uint32_t i = 0; i < std::max(1u, count); ++i)
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
