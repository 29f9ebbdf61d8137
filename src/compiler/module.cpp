#include "compiler/module.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>
#include <unordered_set>

#include "compiler/built_in_types.h"
#include "compiler/execution_modes.h"
#include "compiler/refusal.h"
#include "compiler/tools.h"
#include "compiler/translate/spec_constants.h"
#include "compiler/types.h"
#include "compiler/validation.h"

namespace cutaway::compiler {
namespace {

std::string text_of(std::span<const uint32_t> words) {
  std::string text;
  for (uint32_t word : words)
    for (int i = 0; i < 4; ++i, word >>= 8) {
      if ((word & 0xff) == 0) return text;
      text += static_cast<char>(word & 0xff);
    }
  return text;
}

class Loader {
 public:
  Loader(const Request& request, Module& module)
      : request_(request), m_(module), modes_(module), constants_(request, module) {}

  void load() {
    size_t index = 0;
    bool in_functions = false;
    for (size_t at = 5; at < m_.binary.size(); ++index) {
      const uint32_t length = m_.binary[at] >> 16;
      if (length == 0 || at + length > m_.binary.size()) invalid("an instruction ends after the module");
      Word word;
      word.op = static_cast<uint16_t>(m_.binary[at] & 0xffff);
      bool has_result = false, has_type = false;
      spv::HasResultAndType(static_cast<spv::Op>(word.op), &has_result, &has_type);
      uint32_t skip = 1;
      if (has_type && skip < length) word.type = m_.binary[at + skip++];
      if (has_result && skip < length) word.result = m_.binary[at + skip++];
      word.words = std::span(m_.binary).subspan(at + skip, length - skip);
      in_functions = in_functions || word.op == spv::OpFunction;
      word.number = m_.origin[index].number;
      if (in_functions) in_function(word);
      else in_module(word);
      at += length;
    }
    if (m_.entry == 0) user_error("shader: it has no entry point '{}' for this stage", request_.entry);
    if (!m_.functions.contains(m_.entry)) invalid("its entry point has no function");
    modes_.check(request_.stage);
    drop_unreached();
    check_built_ins(m_, request_.stage);
    next_type_ = m_.binary[3];
    give_lengths();
  }

 private:
  void entry_point(const Word& word) {
    // The numbers are equal: spv::ExecutionModelVertex to ExecutionModelGLCompute.
    const auto model = static_cast<uint32_t>(request_.stage);
    static_assert(spv::ExecutionModelGeometry == static_cast<uint32_t>(arch::Stage::kGeometry) &&
                  spv::ExecutionModelGLCompute == static_cast<uint32_t>(arch::Stage::kCompute));
    const std::string name = text_of(word.words.subspan(std::min<size_t>(2, word.words.size())));
    if (arg(word, 0) != model || name != request_.entry) return;
    m_.entry = arg(word, 1);
    const size_t first = 2 + name.size() / 4 + 1;
    for (size_t i = first; i < word.words.size(); ++i) interface_.insert(word.words[i]);
  }

  void in_module(const Word& word) {
    switch (word.op) {
      case spv::OpCapability:
        if (arg(word, 0) == spv::CapabilityVariablePointersStorageBuffer ||
            arg(word, 0) == spv::CapabilityVariablePointers)
          m_.variable_pointers = true;
        break;
      case spv::OpExtInstImport:
        m_.extensions[word.result] = text_of(word.words);
        break;
      case spv::OpEntryPoint:
        entry_point(word);
        break;
      case spv::OpExecutionMode:
        modes_.apply(word);
        break;
      case spv::OpExecutionModeId:
        modes_.apply_id(word);
        break;
      case spv::OpDecorate:
        decorate(m_.decorations[arg(word, 0)], arg(word, 1), word.words.subspan(2));
        break;
      case spv::OpMemberDecorate:
        decorate(m_.member_decorations[{arg(word, 0), arg(word, 1)}], arg(word, 2), word.words.subspan(3));
        break;
      case spv::OpGroupDecorate:
        for (uint32_t target : word.words.subspan(1))
          decorate(m_.decorations[target], m_.decoration(arg(word, 0)));
        break;
      case spv::OpGroupMemberDecorate:
        for (size_t i = 1; i + 1 < word.words.size(); i += 2)
          decorate(m_.member_decorations[{word.words[i], word.words[i + 1]}], m_.decoration(arg(word, 0)));
        break;
      case spv::OpVariable:
        m_.variables.push_back(word);
        break;
      case spv::OpSpecConstantTrue:
      case spv::OpSpecConstantFalse:
      case spv::OpSpecConstant:
        m_.constants[word.result] = specialized(word);
        break;
      case spv::OpSpecConstantOp:
        m_.constants[word.result] = word;
        m_.evaluated[word.result] = constants_.evaluate(word);
        break;
      default:
        if (word.op >= spv::OpTypeVoid && word.op <= spv::OpTypeForwardPointer)
          m_.types[word.op == spv::OpTypeForwardPointer ? arg(word, 0) : word.result] =
              declared_type(m_, word);
        else if ((word.op >= spv::OpConstantTrue && word.op <= spv::OpConstantNull) ||
                 word.op == spv::OpUndef || word.op == spv::OpSpecConstantComposite)
          m_.constants[word.result] = word;
        break;
    }
  }

  // Applies the request's value to a specialization constant.
  Word specialized(Word word) {
    const std::optional<uint32_t> id = m_.decoration(word.result).spec_id;
    for (const Specialization& s : request_.specializations) {
      if (id != s.id) continue;
      uint32_t value[2] = {};
      std::copy_n(s.value.begin(), std::min(s.value.size(), sizeof value),
                  reinterpret_cast<std::byte*>(&value));
      const auto at = word.words.data() - m_.binary.data();
      if (word.op == spv::OpSpecConstant)
        std::copy_n(value, std::min<size_t>(word.words.size(), 2), m_.binary.begin() + at);
      else word.op = value[0] ? spv::OpSpecConstantTrue : spv::OpSpecConstantFalse;
    }
    return word;
  }

  // Keeps only the functions that the entry point calls and the variables that they name: other entry points
  // of the module may have inputs and outputs of other stages.
  void drop_unreached() {
    std::unordered_set<uint32_t> reached = {m_.entry}, named;
    for (std::vector<uint32_t> left = {m_.entry}; !left.empty();) {
      const uint32_t function = left.back();
      left.pop_back();
      for (const uint32_t label : m_.functions[function].labels)
        for (const Word& word : m_.blocks[label].body) {
          named.insert(word.words.begin(), word.words.end());
          if (word.op != spv::OpFunctionCall || !m_.functions.contains(arg(word, 0))) continue;
          if (reached.insert(arg(word, 0)).second) left.push_back(arg(word, 0));
        }
    }
    for (const auto& [id, function] : m_.functions)
      if (!reached.contains(id))
        for (const uint32_t label : function.labels) m_.blocks.erase(label);
    std::erase_if(m_.functions, [&](const auto& f) { return !reached.contains(f.first); });
    for (size_t i = m_.variables.size(); i-- > 0;)  // a variable's initializer precedes it
      if (named.contains(m_.variables[i].result) && m_.variables[i].words.size() > 1)
        named.insert(m_.variables[i].words[1]);
    std::erase_if(m_.variables, [&](const Word& word) {
      const bool linked = arg(word, 0) == spv::StorageClassInput || arg(word, 0) == spv::StorageClassOutput;
      return !(linked ? interface_ : named).contains(word.result);
    });
  }

  // Gives unsized arrays of descriptors the length of their binding, in new types.
  void give_lengths() {
    for (Word& word : m_.variables) {
      const uint32_t storage = arg(word, 0);
      Type pointer = m_.type(word.type), array = m_.type(pointer.element);
      if (array.kind != TypeKind::kRuntimeArray || !is_descriptor_storage(storage)) continue;
      const Decorations& d = m_.decoration(word.result);
      const auto found = std::ranges::find_if(request_.descriptors, [&](const DescriptorCount& binding) {
        return binding.set == d.set && binding.binding == d.binding;
      });
      if (found == request_.descriptors.end())
        invalid("the length of the array at set {}, binding {} is not known: the pipeline's layout has none",
                d.set.value_or(0), d.binding.value_or(0));
      array.kind = TypeKind::kArray;
      array.count = std::max(1u, found->count);
      pointer.element = next_type_++;
      m_.types[pointer.element] = array;
      word.type = next_type_++;
      m_.types[word.type] = pointer;
    }
  }

  // A selector is defined before its OpSwitch.
  void note_width(const Word& word) {
    if (word.result && m_.scalar(word.type).bits == 64) wide_.insert(word.result);
    if (word.op != spv::OpSwitch) return;
    const auto constant = m_.constants.find(arg(word, 0));
    if (wide_.contains(arg(word, 0)) ||
        (constant != m_.constants.end() && m_.scalar(constant->second.type).bits == 64))
      m_.wide_switches.insert(word.number);
  }

  void in_function(const Word& word) {
    switch (word.op) {
      case spv::OpFunction:
        function_ = word.result;
        m_.functions[function_].definition = word;
        return;
      case spv::OpFunctionParameter:
        m_.functions[function_].parameters.push_back(word);
        note_width(word);
        return;
      case spv::OpFunctionEnd:
      case spv::OpLine:
      case spv::OpNoLine:
      case spv::OpNop:
        return;
      case spv::OpLabel:
        label_ = word.result;
        m_.functions[function_].labels.push_back(label_);
        m_.blocks[label_] = {};
        return;
      default:
        break;
    }
    note_width(word);
    const auto block = m_.blocks.find(label_);
    if (block == m_.blocks.end()) invalid("{} outside a block", op_name(word.op));
    if (word.op == spv::OpSelectionMerge || word.op == spv::OpLoopMerge) {
      block->second.merge = arg(word, 0);
      block->second.loop = word.op == spv::OpLoopMerge;
      if (block->second.loop) block->second.continues = arg(word, 1);
      return;
    }
    block->second.body.push_back(word);
  }

  const Request& request_;
  Module& m_;
  ExecutionModes modes_;
  SpecConstants constants_;                 // evaluates operations on constants
  std::unordered_set<uint32_t> interface_;  // variables in the entry point's interface
  uint32_t function_ = 0, label_ = 0;
  uint32_t next_type_ = 0;             // ids beyond the module's own
  std::unordered_set<uint32_t> wide_;  // integers of 64 bits
};

const Decorations& no_decorations() {
  static const Decorations& kEmpty = *new Decorations;  // outlives every destructor of the process
  return kEmpty;
}

}  // namespace

uint32_t arg(const Word& word, size_t index) {
  if (index >= word.words.size()) invalid("{} lacks an operand", op_name(word.op));
  return word.words[index];
}

void unsupported(const Word& word, const char* why) { unsupported("{} {}", op_name(word.op), why); }

void invalid(const Word& word, const char* why) { invalid("{} {}", op_name(word.op), why); }

const Type& Module::type(uint32_t id) const {
  const auto found = types.find(id);
  if (found == types.end()) invalid("%{} is no type", id);
  return found->second;
}

bool is_variable_storage(uint32_t storage) {
  return storage == spv::StorageClassStorageBuffer || storage == spv::StorageClassWorkgroup;
}

bool is_descriptor_storage(uint32_t storage) {
  return storage == spv::StorageClassUniform || storage == spv::StorageClassStorageBuffer ||
         storage == spv::StorageClassUniformConstant;
}

const Type& Module::scalar(uint32_t id) const {
  static const Type& kVoid = *new Type;  // outlives every destructor of the process
  for (auto found = types.find(id); found != types.end(); found = types.find(found->second.element)) {
    const Type& type = found->second;
    if (type.kind == TypeKind::kBool || type.kind == TypeKind::kInt || type.kind == TypeKind::kFloat)
      return type;
    if (type.kind < TypeKind::kVector || type.kind > TypeKind::kRuntimeArray) break;
  }
  return kVoid;
}

std::optional<uint32_t> Module::integer(uint32_t id) const {
  if (const auto found = evaluated.find(id); found != evaluated.end())
    return type(constants.at(id).type).kind == TypeKind::kInt ? std::optional(found->second.at(0))
                                                              : std::nullopt;
  const auto found = constants.find(id);
  if (found == constants.end()) return std::nullopt;
  if (found->second.op == spv::OpConstantNull) return 0;
  if (found->second.words.empty()) return std::nullopt;
  return found->second.words[0];
}

const Decorations& Module::decoration(uint32_t id) const {
  const auto found = decorations.find(id);
  return found == decorations.end() ? no_decorations() : found->second;
}

const Decorations& Module::member(uint32_t type_id, uint32_t index) const {
  const auto found = member_decorations.find({type_id, index});
  return found == member_decorations.end() ? no_decorations() : found->second;
}

Module load_module(const Request& request) {
  Module module;
  Admitted admitted = admit(request.spirv);
  read_operands(admitted);
  validate(admitted);
  module.binary = std::move(admitted.words);
  module.origin = std::move(admitted.origin);
  Loader(request, module).load();
  return module;
}

// Capabilities come first in a module.
bool has_unsized_descriptors(std::span<const uint32_t> spirv) {
  for (size_t at = 5; at + 1 < spirv.size() && (spirv[at] & 0xffff) == spv::OpCapability; at += 2)
    if (spirv[at + 1] == spv::CapabilityRuntimeDescriptorArray) return true;
  return false;
}

}  // namespace cutaway::compiler
