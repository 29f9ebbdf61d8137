#include "compiler/translate/pointer_scan.h"

#include <algorithm>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp>

// Finds variables to place in scratch memory, because indexing them by selects would take too long.
namespace cutaway::compiler {
namespace {

bool is_chain(const Word& word) {
  return word.op == spv::OpAccessChain || word.op == spv::OpInBoundsAccessChain;
}

// True for instructions of GLSL.std.450 that store their second result through a pointer, the fourth operand.
bool has_second_result(const Word& word) {
  const uint32_t instruction = word.operand(1);
  return word.op == spv::OpExtInst && (instruction == GLSLstd450Modf || instruction == GLSLstd450Frexp);
}

// Follows pointers from the variables and function parameters that they originate from.
class PointerScan {
 public:
  explicit PointerScan(const Module& module) : m_(module) {
    find_roots();
    each([&](const Word& word) {
      if (word.op == spv::OpStore || word.op == spv::OpCopyMemory) stored_.insert(word.operand(0));
      if (has_second_result(word)) stored_.insert(word.operand(3));
      if (word.op == spv::OpFunctionCall) note_call(word);
    });
    each([&](const Word& word) {
      if (!is_chain(word) || !root_.contains(word.result)) return;
      uint32_t& most = (stored_.contains(word.result) ? stores_ : loads_)[root_.at(word.result)];
      most = std::max(most, dynamic_elements(word));
    });
    pass_to_arguments();
  }

  // True for a store, a copy or a second result to a buffer, or another instruction that writes memory.
  bool writes_memory() const {
    bool writes = false;
    each([&](const Word& word) {
      if ((word.op >= spv::OpAtomicLoad && word.op <= spv::OpAtomicXor) || word.op == spv::OpImageWrite)
        writes = true;
      if (has_second_result(word)) writes |= may_write(word.operand(3));
      if (word.op != spv::OpStore && word.op != spv::OpCopyMemory) return;
      writes |= may_write(word.operand(0));
    });
    return writes;
  }

  // True if a store through this pointer may write memory.
  bool may_write(uint32_t id) const {
    const auto pointer = type_.find(id);
    // Not from a variable: possibly a pointer value.
    if (pointer == type_.end()) return m_.variable_pointers || holds_addresses();
    const uint32_t storage = m_.type(pointer->second).storage;
    return storage == spv::StorageClassUniform || storage == spv::StorageClassStorageBuffer;
  }

  std::unordered_set<uint32_t> too_large() {
    std::unordered_set<uint32_t> variables;
    for (const auto& [id, root] : root_) {
      const uint32_t storage = m_.type(type_.at(id)).storage;
      const bool movable = storage == spv::StorageClassFunction || storage == spv::StorageClassPrivate;
      if (id == root && movable && (loads_[id] > kSelectElements || stores_[id] > kSelectStores))
        variables.insert(id);
    }
    return variables;
  }

 private:
  bool holds_addresses() const {
    return std::any_of(m_.types.begin(), m_.types.end(), [](const auto& type) {
      return type.second.kind == TypeKind::kPointer &&
             type.second.storage == spv::StorageClassPhysicalStorageBuffer;
    });
  }

  // Visits in module order: a block comes after its dominators.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const auto& [id, function] : m_.functions)
      for (const uint32_t label : function.labels)
        for (const Word& word : m_.blocks.at(label).body) visit(word);
  }

  void find_roots() {
    const auto note = [&](const Word& word) {
      if (word.op == spv::OpVariable || word.op == spv::OpFunctionParameter)
        root_[word.result] = word.result, type_[word.result] = word.type;
    };
    for (const Word& word : m_.variables) note(word);
    for (const auto& [id, function] : m_.functions)
      for (const Word& word : function.parameters) note(word);
    each(note);
    // Unreachable blocks may come in any order, so chains of chains are followed until nothing changes.
    for (bool changed = true; changed;) {
      changed = false;
      each([&](const Word& word) {
        if (!is_chain(word) && word.op != spv::OpCopyObject) return;
        const auto from = root_.find(word.operand(0));
        if (root_.contains(word.result) || from == root_.end()) return;
        root_[word.result] = uint32_t{from->second}, type_[word.result] = word.type;
        changed = true;
      });
    }
  }

  void note_call(const Word& word) {
    const auto callee = m_.functions.find(word.operand(0));
    if (callee == m_.functions.end()) return;
    for (size_t i = 1; i < word.words.size() && i <= callee->second.parameters.size(); ++i)
      if (root_.contains(word.words[i]))
        passed_.push_back({root_.at(word.words[i]), callee->second.parameters[i - 1].result});
  }

  // Propagates a function's accesses through its parameters to the arguments.
  void pass_to_arguments() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [from, to] : passed_)
        for (auto* counts : {&loads_, &stores_}) {
          const uint32_t most = (*counts)[to];
          if ((*counts)[from] >= most) continue;
          (*counts)[from] = most;
          changed = true;
        }
    }
  }

  // Number of elements that the dynamic indices of a chain choose from.
  uint32_t dynamic_elements(const Word& chain) const {
    uint32_t type = m_.type(type_.at(chain.words[0])).element;
    uint64_t count = 1;
    for (size_t i = 1; i < chain.words.size(); ++i) {
      const Type& here = m_.type(type);
      const std::optional<uint32_t> constant = m_.integer(chain.words[i]);
      const bool dynamic = !constant;
      if (here.kind == TypeKind::kStruct) {
        const uint32_t index = constant.value_or(0);
        if (index >= here.members.size()) break;
        type = here.members[index];
        continue;
      }
      if (here.element == 0) break;
      if (dynamic) count = std::min<uint64_t>(count * std::max(1u, here.count), 1u << 24);
      type = here.element;
    }
    return static_cast<uint32_t>(count);
  }

  const Module& m_;
  std::unordered_map<uint32_t, uint32_t> root_, type_;  // by pointer
  std::unordered_set<uint32_t> stored_;                 // pointers that are stored through
  std::vector<std::pair<uint32_t, uint32_t>> passed_;   // (argument's root, parameter)
  std::unordered_map<uint32_t, uint32_t> loads_,
      stores_;  // by root: the most elements that an index chooses from
};

}  // namespace

PointerUse pointer_use(const Module& module) {
  PointerScan scan(module);
  return {.writes_memory = scan.writes_memory(), .too_large = scan.too_large()};
}

}  // namespace cutaway::compiler
