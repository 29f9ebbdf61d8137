#pragma once

#include "compiler/module.h"
#include "compiler/translate/value.h"

namespace cutaway::compiler {

// Counts translated code. UnsupportedShader: too much, since a few bytes of SPIR-V can expand without limit.
class Work {
 public:
  void operator()(uint32_t amount = 1);

 private:
  uint32_t done_ = 0;
};

// The value of each id of the module: constants, defined values, variables.
class Values {
 public:
  Values(const Module& module, Builder& builder, Work& work) : m_(module), b(builder), work_(work) {}

  // Defines an id as lanes that are computed in the builder's block.
  Value& define(uint32_t id, uint32_t type, Lanes lanes);
  // Gives an id the value of another.
  void alias(uint32_t id, const Value& value) { state_.values[id] = value; }

  // Null: not defined. Constants are not defined here.
  const Value* find(uint32_t id) const;
  // InvalidShader: not defined.
  const Value& at(uint32_t id) const;
  // The type of a value or constant.
  uint32_t type_of(uint32_t id) const;
  // Components of a plain value or a constant, usable in the builder's block. InvalidShader: it is neither.
  Lanes get(uint32_t id);
  // The low word of a scalar that is known, whatever its size.
  std::optional<uint32_t> literal_of(uint32_t id);
  Lanes constant(uint32_t id);

  // Variables in registers: the first builder slot of their components.
  void set_slot(uint32_t variable, uint32_t slot) { state_.slots[variable] = slot; }
  uint32_t slot_of(uint32_t variable) const;
  // Variables in scratch or workgroup memory: their first byte there.
  void place(uint32_t variable, uint32_t byte) { state_.places[variable] = byte; }
  bool is_placed(uint32_t variable) const { return state_.places.contains(variable); }
  uint32_t place_of(uint32_t variable) const;

  // All state except constants: a snapshot for undoing a translation.
  struct State {
    std::unordered_map<uint32_t, Value> values;
    std::unordered_map<uint32_t, uint32_t> slots, places;  // by variable: first slot, byte
  };
  const State& state() const { return state_; }
  void restore(State state) { state_ = std::move(state); }

 private:
  const Module& m_;
  Builder& b;
  Work& work_;
  State state_;
};

}  // namespace cutaway::compiler
