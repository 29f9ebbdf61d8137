#pragma once

#include "compiler/refusal.h"
#include "compiler/translate/values.h"

// What every part of a translation works with.
namespace cutaway::compiler {

// What the parts share: what they translate, what they append to, and what ids stand for.
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
  // Operands that the instruction in hand reads otherwise than as they are kept.
  std::unordered_map<uint32_t, Lanes> read_as;

  // To go back to when a translation is undone.
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
  // An index, as a signed word.
  Lanes index_of(uint32_t id);
  // Types of other sizes than a word (widths.cpp).
  const Type& scalar_of(uint32_t id) const;  // void: of none
  static bool is_small(const Type& scalar) { return scalar.bits < 32; }
  static bool is_double(const Type& scalar) { return scalar.kind == TypeKind::kFloat && scalar.bits == 64; }
  // What was computed in words, as values of a type are kept.
  Lanes narrowed(uint32_t type, const Lanes& words);
  // Integers as they are kept, as signed words.
  Lanes sign_extended(const Type& scalar, const Lanes& kept);
  // Values as they lie in memory, in words, and back: `count` of them.
  Lanes packed(const Type& scalar, const Lanes& kept);
  Lanes unpacked(const Type& scalar, const Lanes& words, size_t count);
  std::optional<uint32_t> literal_of(uint32_t id) { return values_.literal_of(id); }
  // A component of an operand. InvalidShader: it has fewer, which not every rule of the validator is about.
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

  // Calls body(pointer, condition) for every descriptor that a dynamic index may choose, or buffer that a
  // variable pointer may lead into; where there is nothing to choose once, and the condition is empty. Of a
  // variable pointer that is only ever null never.
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

  // The buffer that a variable pointer leads into; where it is to an array of blocks, after its index.
  Ref buffer_number(const Pointer& pointer);

 private:
  // Whether the index chooses that element, for each lane; nothing where a constant has chosen.
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
  const bool together = images.id == samplers.id;  // or neither: an index that is right is one of both
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
