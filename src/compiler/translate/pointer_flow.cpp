#include "compiler/translate/pointer_flow.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>
#include <unordered_set>

#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kMaxRoots = 1024;
constexpr uint64_t kMaxSteps = 1 << 26;  // propagation steps, each of a word of 64 buffers

bool is_walk(const Word& chain) {
  return chain.op == spv::OpPtrAccessChain || chain.op == spv::OpInBoundsPtrAccessChain;
}

// True if pointers of this storage class may be values.
bool is_value_storage(uint32_t storage) {
  return is_variable_storage(storage) || storage == spv::StorageClassPhysicalStorageBuffer;
}

}  // namespace

PointerFlow::PointerFlow(const Module& module) : m_(module) {
  find_types();
  if (m_.variable_pointers) number_buffers();
  for (const Word& word : m_.variables) follow(word, 0);
  for (const auto& [id, function] : m_.functions)
    for (const uint32_t label : function.labels)
      for (const Word& word : m_.blocks.at(label).body) follow(word, id);
  spread();
  spread_layouts();
}

bool PointerFlow::holds_addresses(const Module& module) {
  return std::any_of(module.types.begin(), module.types.end(), [](const auto& type) {
    return type.second.kind == TypeKind::kPointer &&
           type.second.storage == spv::StorageClassPhysicalStorageBuffer;
  });
}

void PointerFlow::find_types() {
  const auto note = [&](const Word& word) {
    if (word.result) types_[word.result] = word.type;
  };
  for (const Word& word : m_.variables) note(word);
  for (const auto& [id, constant] : m_.constants) note(constant);
  for (const auto& [id, function] : m_.functions) {
    types_[id] = function.definition.type;
    for (const Word& word : function.parameters) note(word);
  }
  for (const auto& [label, block] : m_.blocks)
    for (const Word& word : block.body) note(word);
}

uint32_t PointerFlow::type_of(uint32_t id) const {
  const auto found = types_.find(id);
  return found == types_.end() ? 0 : found->second;
}

void PointerFlow::number_buffers() {
  for (const Word& word : m_.variables) {
    if (arg(word, 0) != spv::StorageClassStorageBuffer) continue;
    const Type& type = m_.type(m_.type(word.type).element);
    const uint32_t count = type.kind == TypeKind::kArray ? type.count : 1;
    if (count > kMaxRoots - all_.size())
      unsupported("variable pointers in a program of more than {} storage buffers", kMaxRoots);
    numbers_[word.result] = static_cast<uint32_t>(all_.size()) + 1;
    for (uint32_t i = 0; i < count; ++i) all_.push_back({word.result, i});
  }
  for (uint32_t i = 0; i < all_.size(); ++i) {
    add(reached_[all_[i].variable], i);
    add(of_element_[all_[i].element], i);
  }
}

void PointerFlow::add(Bits& to, uint32_t root) const {
  to.resize((all_.size() + 63) / 64);
  to[root / 64] |= uint64_t{1} << root % 64;
}

bool PointerFlow::holds_pointers(uint32_t type_id) const {
  const auto found = m_.types.find(type_id);
  if (found == m_.types.end()) return false;
  const Type& type = found->second;
  if (type.kind == TypeKind::kPointer) return is_value_storage(type.storage);
  if (type.kind == TypeKind::kStruct)
    return std::any_of(type.members.begin(), type.members.end(),
                       [&](uint32_t member) { return holds_pointers(member); });
  return type.kind == TypeKind::kArray && holds_pointers(type.element);
}

bool PointerFlow::holds_values(uint32_t id) const {
  const auto found = m_.types.find(type_of(id));
  return found != m_.types.end() && found->second.kind == TypeKind::kPointer &&
         !is_value_storage(found->second.storage) && holds_pointers(found->second.element);
}

void PointerFlow::connect(uint32_t from, uint32_t to, std::optional<uint32_t> element, const Word* chain) {
  edges_[from].push_back({to, element, chain});
}

void PointerFlow::connect_both(uint32_t a, uint32_t b) {
  connect(a, b);
  connect(b, a);
}

void PointerFlow::follow(const Word& word, uint32_t function) {
  switch (word.op) {
    case spv::OpVariable:
      if (word.words.size() > 1 && holds_values(word.result)) connect(word.words[1], word.result);
      return;
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsPtrAccessChain:
      return follow_chain(word);
    case spv::OpStore:
    case spv::OpCopyMemory:
      if (holds_values(word.operand(0))) connect(word.operand(1), word.operand(0));
      return;
    case spv::OpReturnValue:
      if (holds_pointers(type_of(word.operand(0)))) connect(word.operand(0), function);
      return;
    case spv::OpFunctionCall:
      return follow_call(word);
    case spv::OpCopyObject:
      if (holds_values(word.result)) return connect_both(word.operand(0), word.result);
      break;
    default:
      break;
  }
  if (!word.result || !holds_pointers(word.type)) return;
  for (size_t i = 0; i < word.words.size(); ++i) {
    const uint32_t from = word.words[i];
    // Loads propagate from a variable that holds pointers; other instructions from operands that are or hold
    // pointers.
    if (word.op == spv::OpLoad ? holds_values(from) : holds_pointers(type_of(from)))
      connect(from, word.result);
    if (word.op == spv::OpLoad) break;
  }
}

void PointerFlow::follow_chain(const Word& word) {
  const uint32_t base = word.operand(0);
  if (holds_values(base)) return connect_both(base, word.result);
  const auto pointer = m_.types.find(type_of(base));
  if (pointer == m_.types.end() || !is_value_storage(pointer->second.storage)) return;
  const Type& to = m_.type(pointer->second.element);
  // A parameter's type may be an unsized array.
  const bool array = to.kind == TypeKind::kArray || to.kind == TypeKind::kRuntimeArray;
  const bool descriptors = array && m_.decoration(to.element).block;
  const uint32_t index = word.operand(is_walk(word) ? 2 : 1);
  connect(base, word.result, descriptors ? m_.integer(index) : std::nullopt, &word);
}

// Connects both sides of a call for pointers to variables that hold pointers.
void PointerFlow::follow_call(const Word& word) {
  const auto callee = m_.functions.find(word.operand(0));
  if (callee == m_.functions.end()) return;
  const std::vector<Word>& parameters = callee->second.parameters;
  for (size_t i = 1; i < word.words.size() && i <= parameters.size(); ++i) {
    const uint32_t parameter = parameters[i - 1].result;
    if (holds_values(parameter)) connect_both(word.words[i], parameter);
    else if (holds_pointers(type_of(parameter))) connect(word.words[i], parameter);
  }
  if (holds_pointers(word.type)) connect(callee->first, word.result);
}

void PointerFlow::spread() {
  std::vector<uint32_t> changed;
  for (const auto& [id, reached] : reached_) changed.push_back(id);
  for (uint64_t work = 0; !changed.empty();) {
    const uint32_t from = changed.back();
    changed.pop_back();
    const Bits reached = reached_[from];
    for (const Edge& edge : edges_[from]) {
      if ((work += reached.size()) > kMaxSteps)
        unsupported("variable pointers with too many possible targets");
      Bits only(reached.size(), ~uint64_t{0});
      if (edge.element) only = of_element_[*edge.element];
      only.resize(reached.size());
      Bits& to = reached_[edge.to];
      to.resize(reached.size());
      bool more = false;
      for (size_t i = 0; i < reached.size(); ++i) {
        const uint64_t added = reached[i] & only[i] & ~to[i];
        more |= added != 0;
        to[i] |= added;
      }
      if (more) changed.push_back(edge.to);
    }
  }
}

// The layout after an access chain.
PointerLayout PointerFlow::through(PointerLayout layout, const Word& chain) const {
  const auto pointer = m_.types.find(type_of(chain.operand(0)));
  if (pointer == m_.types.end()) return {};
  uint32_t type = pointer->second.element;
  for (size_t i = is_walk(chain) ? 2 : 1; i < chain.words.size(); ++i) {
    const Type& from = m_.type(type);
    const std::optional<uint32_t> index = m_.integer(chain.words[i]);
    const bool member = from.kind == TypeKind::kStruct;
    if (member ? !index || *index >= from.members.size() : from.element == 0) return {};
    layout.step(m_, type, index);
    type = member ? from.members[*index] : from.element;
  }
  return layout;
}

// Each field of a layout changes once at most after it is known.
void PointerFlow::spread_layouts() {
  std::vector<uint32_t> changed;
  std::unordered_set<uint32_t> targets;
  for (const auto& [from, edges] : edges_)
    for (const Edge& edge : edges) targets.insert(edge.to);
  for (const auto& [from, edges] : edges_)
    if (!targets.contains(from) && !m_.constants.contains(from)) {
      layouts_[from] = {};
      changed.push_back(from);
    }
  while (!changed.empty()) {
    const uint32_t from = changed.back();
    changed.pop_back();
    const PointerLayout here = layouts_[from];
    for (const Edge& edge : edges_[from]) {
      const PointerLayout next = edge.chain ? through(here, *edge.chain) : here;
      const auto [found, added] = layouts_.try_emplace(edge.to, next);
      if (added || found->second.join(next)) changed.push_back(edge.to);
    }
  }
}

PointerLayout PointerFlow::layout(uint32_t id) const {
  const auto found = layouts_.find(id);
  return found == layouts_.end() ? PointerLayout{} : found->second;
}

uint32_t PointerFlow::number_of(uint32_t variable) const {
  const auto found = numbers_.find(variable);
  return found == numbers_.end() ? 1 : found->second;  // number of all workgroup memory
}

std::shared_ptr<const PointerRoots> PointerFlow::roots(uint32_t id) const {
  auto roots = std::make_shared<PointerRoots>();
  if (const auto found = reached_.find(id); found != reached_.end())
    for (size_t i = 0; i < all_.size(); ++i)
      if (found->second[i / 64] >> i % 64 & 1) roots->push_back({static_cast<uint32_t>(i) + 1, all_[i]});
  return roots;
}

}  // namespace cutaway::compiler
