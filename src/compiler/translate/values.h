#pragma once

#include "compiler/module.h"
#include "compiler/translate/value.h"

namespace cutaway::compiler {

// Counts what is laid out. UnsupportedShader: too much, as a few bytes of SPIR-V can ask for.
class Work {
 public:
  void operator()(uint32_t amount = 1);

 private:
  uint32_t done_ = 0;
};

// What each id of the module stands for: constants, values as they are defined, variables.
class Values {
 public:
  Values(const Module& module, Builder& builder, Work& work) : m_(module), b(builder), work_(work) {}

  // Makes an id stand for lanes that are computed in the builder's block.
  Value& define(uint32_t id, uint32_t type, Lanes lanes);
  // Makes an id stand for what another one stands for.
  void alias(uint32_t id, const Value& value) { state_.values[id] = value; }

  // Null: nothing has defined it. Constants are not defined.
  const Value* find(uint32_t id) const;
  // InvalidShader: nothing has defined it.
  const Value& at(uint32_t id) const;
  // The type of a value or constant.
  uint32_t type_of(uint32_t id) const;
  // Components of a plain value or a constant, as the builder's block may use them.
  // InvalidShader: it is none.
  Lanes get(uint32_t id);
  std::optional<uint32_t> literal_of(uint32_t id);  // where it is one component that is known
  Lanes constant(uint32_t id);

  // Variables in registers: the first of the builder's slots that hold their components.
  void set_slot(uint32_t variable, uint32_t slot) { state_.slots[variable] = slot; }
  uint32_t slot_of(uint32_t variable) const;
  // Variables in scratch memory or that of the workgroup: the byte where they begin there.
  void place(uint32_t variable, uint32_t byte) { state_.places[variable] = byte; }
  bool is_placed(uint32_t variable) const { return state_.places.contains(variable); }
  uint32_t place_of(uint32_t variable) const;

  // All but what is said of constants: to go back to when a translation is undone.
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
