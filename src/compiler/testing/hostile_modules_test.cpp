#include "compiler/testing/hostile_modules.h"

#include <array>
#include <spirv/unified1/spirv.hpp>
#include <utility>

namespace cutaway::compiler {
namespace hostile_modules_test {
namespace {

// A compute program that reads o[1] and writes o[0] of a storage buffer.
class Writer {
 public:
  Writer() {
    op(spv::OpCapability, {spv::CapabilityShader});
    op(spv::OpMemoryModel, {spv::AddressingModelLogical, spv::MemoryModelGLSL450});
    op(spv::OpEntryPoint, {spv::ExecutionModelGLCompute, main_, 0x6e69616d, 0});
    op(spv::OpExecutionMode, {main_, spv::ExecutionModeLocalSize, 1, 1, 1});
    op(spv::OpDecorate, {array_, spv::DecorationArrayStride, 4});
    op(spv::OpMemberDecorate, {block_, 0, spv::DecorationOffset, 0});
    op(spv::OpDecorate, {block_, spv::DecorationBufferBlock});
    op(spv::OpDecorate, {buffer_, spv::DecorationDescriptorSet, 0});
    op(spv::OpDecorate, {buffer_, spv::DecorationBinding, 0});
    op(spv::OpTypeVoid, {void_});
    op(spv::OpTypeFunction, {function_type_, void_});
    op(spv::OpTypeInt, {uint_, 32, 0});
    op(spv::OpTypeBool, {bool_});
    op(spv::OpTypeRuntimeArray, {array_, uint_});
    op(spv::OpTypeStruct, {block_, array_});
    op(spv::OpTypePointer, {block_pointer_, spv::StorageClassUniform, block_});
    op(spv::OpVariable, {block_pointer_, buffer_, spv::StorageClassUniform});
    op(spv::OpTypePointer, {element_pointer_, spv::StorageClassUniform, uint_});
    for (uint32_t i = 0; i < 4; ++i) op(spv::OpConstant, {uint_, constant_[i], i});
  }

  uint32_t id() { return bound_++; }
  void op(uint32_t opcode, const std::vector<uint32_t>& operands) {
    words_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
    words_.insert(words_.end(), operands.begin(), operands.end());
  }
  uint32_t value(uint32_t opcode, uint32_t type, const std::vector<uint32_t>& operands) {
    const uint32_t result = id();
    std::vector<uint32_t> all = {type, result};
    all.insert(all.end(), operands.begin(), operands.end());
    op(opcode, all);
    return result;
  }
  uint32_t type(uint32_t opcode, const std::vector<uint32_t>& operands) {
    const uint32_t result = id();
    std::vector<uint32_t> all = {result};
    all.insert(all.end(), operands.begin(), operands.end());
    op(opcode, all);
    return result;
  }
  void label(uint32_t label) { op(spv::OpLabel, {label}); }
  void begin() {
    op(spv::OpFunction, {void_, main_, 0, function_type_});
    label(entry_);
    x_ = value(spv::OpLoad, uint_,
               {value(spv::OpAccessChain, element_pointer_, {buffer_, constant_[0], constant_[1]})});
    condition_ = value(spv::OpIEqual, bool_, {x_, constant_[3]});
  }
  void store(uint32_t stored) {
    op(spv::OpStore,
       {value(spv::OpAccessChain, element_pointer_, {buffer_, constant_[0], constant_[0]}), stored});
  }
  void end() {
    op(spv::OpReturn, {});
    op(spv::OpFunctionEnd, {});
  }
  std::vector<uint32_t> module() const {
    std::vector<uint32_t> all = {spv::MagicNumber, 0x10000, 0, bound_, 0};
    all.insert(all.end(), words_.begin(), words_.end());
    return all;
  }

  uint32_t bound_ = 1;
  const uint32_t main_ = id(), void_ = id(), function_type_ = id(), uint_ = id(), bool_ = id(), array_ = id(),
                 block_ = id(), block_pointer_ = id(), buffer_ = id(), element_pointer_ = id(), entry_ = id();
  const uint32_t constant_[4] = {id(), id(), id(), id()};
  uint32_t x_ = 0, condition_ = 0;

  std::vector<uint32_t> words_ = {};
};

std::vector<uint32_t> nested_ifs(uint32_t depth) {
  Writer w;
  w.begin();
  std::vector<uint32_t> merges;
  for (uint32_t i = 0; i < depth; ++i) {
    const uint32_t yes = w.id(), merge = w.id();
    w.op(spv::OpSelectionMerge, {merge, 0});
    w.op(spv::OpBranchConditional, {w.condition_, yes, merge});
    w.label(yes);
    merges.push_back(merge);
  }
  w.store(w.x_);
  for (size_t i = merges.size(); i-- > 0;) {
    w.op(spv::OpBranch, {merges[i]});
    w.label(merges[i]);
  }
  w.end();
  return w.module();
}

// Loops one after the other, which the compiler tries to lay out.
std::vector<uint32_t> many_loops(uint32_t count) {
  Writer w;
  w.begin();
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t head = w.id(), body = w.id(), next = w.id(), merge = w.id();
    w.op(spv::OpBranch, {head});
    w.label(head);
    w.op(spv::OpLoopMerge, {merge, next, 0});
    w.op(spv::OpBranchConditional, {w.condition_, body, merge});
    w.label(body);
    w.store(w.x_);
    w.op(spv::OpBranch, {next});
    w.label(next);
    w.op(spv::OpBranch, {head});
    w.label(merge);
  }
  w.end();
  return w.module();
}

std::vector<uint32_t> nested_loops(uint32_t depth) {
  Writer w;
  w.begin();
  std::vector<std::array<uint32_t, 3>> loops;
  for (uint32_t i = 0; i < depth; ++i) {
    const uint32_t head = w.id(), body = w.id(), next = w.id(), merge = w.id();
    w.op(spv::OpBranch, {head});
    w.label(head);
    w.op(spv::OpLoopMerge, {merge, next, 0});
    w.op(spv::OpBranchConditional, {w.condition_, body, merge});
    w.label(body);
    loops.push_back({head, next, merge});
  }
  w.store(w.x_);
  for (size_t i = loops.size(); i-- > 0;) {
    const auto [head, next, merge] = loops[i];
    w.op(spv::OpBranch, {next});
    w.label(next);
    w.op(spv::OpBranch, {head});
    w.label(merge);
  }
  w.end();
  return w.module();
}

// Conditions one after the other, with a merge instruction or without.
std::vector<uint32_t> diamonds(uint32_t count, bool is_structured) {
  Writer w;
  w.begin();
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t yes = w.id(), no = w.id(), merge = w.id();
    if (is_structured) w.op(spv::OpSelectionMerge, {merge, 0});
    w.op(spv::OpBranchConditional, {w.condition_, yes, no});
    w.label(yes);
    w.store(w.x_);
    w.op(spv::OpBranch, {merge});
    w.label(no);
    w.store(w.constant_[2]);
    w.op(spv::OpBranch, {merge});
    w.label(merge);
  }
  w.end();
  return w.module();
}

std::vector<uint32_t> wide_switch(uint32_t cases, bool has_blocks) {
  Writer w;
  w.begin();
  const uint32_t merge = w.id();
  std::vector<uint32_t> operands = {w.x_, merge}, labels;
  for (uint32_t i = 0; i < cases; ++i) {
    labels.push_back(has_blocks ? w.id() : merge);
    operands.insert(operands.end(), {i, labels.back()});
  }
  w.op(spv::OpSelectionMerge, {merge, 0});
  w.op(spv::OpSwitch, operands);
  for (uint32_t i = 0; has_blocks && i < cases; ++i) {
    w.label(labels[i]);
    w.store(w.x_);
    w.op(spv::OpBranch, {merge});
  }
  w.label(merge);
  w.end();
  return w.module();
}

std::vector<uint32_t> many_phis(uint32_t count) {
  Writer w;
  w.begin();
  const uint32_t yes = w.id(), merge = w.id();
  w.op(spv::OpSelectionMerge, {merge, 0});
  w.op(spv::OpBranchConditional, {w.condition_, yes, merge});
  w.label(yes);
  w.op(spv::OpBranch, {merge});
  w.label(merge);
  std::vector<uint32_t> phis;
  for (uint32_t i = 0; i < count; ++i)
    phis.push_back(w.value(spv::OpPhi, w.uint_, {w.constant_[1], yes, w.x_, w.entry_}));
  uint32_t sum = w.x_;
  for (const uint32_t phi : phis) sum = w.value(spv::OpIAdd, w.uint_, {sum, phi});
  w.store(sum);
  w.end();
  return w.module();
}

// A phi of many parents, in many copies.
std::vector<uint32_t> wide_phis(uint32_t parents, uint32_t count) {
  Writer w;
  w.begin();
  const uint32_t merge = w.id();
  std::vector<uint32_t> operands = {w.x_, merge}, incoming = {w.constant_[0], w.entry_}, labels;
  for (uint32_t i = 0; i < parents; ++i) {
    labels.push_back(w.id());
    operands.insert(operands.end(), {i, labels.back()});
    incoming.insert(incoming.end(), {w.x_, labels.back()});
  }
  w.op(spv::OpSelectionMerge, {merge, 0});
  w.op(spv::OpSwitch, operands);
  for (const uint32_t label : labels) {
    w.label(label);
    w.op(spv::OpBranch, {merge});
  }
  w.label(merge);
  uint32_t sum = w.x_;
  for (uint32_t i = 0; i < count; ++i) sum = w.value(spv::OpPhi, w.uint_, incoming);
  w.store(sum);
  w.end();
  return w.module();
}

std::vector<uint32_t> long_block(uint32_t count, bool stores) {
  Writer w;
  w.begin();
  uint32_t last = w.x_;
  for (uint32_t i = 0; i < count; ++i) {
    last = w.value(spv::OpIMul, w.uint_, {last, i % 2 ? w.x_ : w.constant_[3]});
    if (stores) w.store(last);
  }
  w.store(last);
  w.end();
  return w.module();
}

// A type of the result of make(type), repeated; loaded as a whole.
template <class Make>
std::vector<uint32_t> deep_type(uint32_t depth, Make&& make) {
  Writer w;
  uint32_t type = w.uint_;
  for (uint32_t i = 0; i < depth; ++i) type = make(w, type);
  const uint32_t variable =
      w.value(spv::OpVariable, w.type(spv::OpTypePointer, {spv::StorageClassPrivate, type}),
              {spv::StorageClassPrivate});
  w.begin();
  w.value(spv::OpLoad, type, {variable});
  w.store(w.x_);
  w.end();
  return w.module();
}

std::vector<uint32_t> deep_arrays(uint32_t depth) {
  return deep_type(depth, [](Writer& w, uint32_t type) {
    return w.type(spv::OpTypeArray, {type, w.constant_[1]});
  });
}

std::vector<uint32_t> doubling_structures(uint32_t depth) {
  return deep_type(depth, [](Writer& w, uint32_t type) { return w.type(spv::OpTypeStruct, {type, type}); });
}

std::vector<uint32_t> doubling_constants(uint32_t depth) {
  Writer w;
  uint32_t type = w.uint_, constant = w.constant_[1];
  for (uint32_t i = 0; i < depth; ++i) {
    type = w.type(spv::OpTypeStruct, {type, type});
    constant = w.value(spv::OpConstantComposite, type, {constant, constant});
  }
  w.begin();
  w.store(w.value(spv::OpCompositeExtract, w.uint_, [&] {
    std::vector<uint32_t> operands = {constant};
    operands.resize(depth + 1);
    return operands;
  }()));
  w.end();
  return w.module();
}

// A large constant that is read again and again.
std::vector<uint32_t> read_constants(uint32_t reads, uint32_t size) {
  Writer w;
  const uint32_t length = w.value(spv::OpConstant, w.uint_, {size});
  const uint32_t type = w.type(spv::OpTypeArray, {w.uint_, length});
  const uint32_t constant = w.value(spv::OpConstantNull, type, {});
  w.begin();
  uint32_t sum = w.x_;
  for (uint32_t i = 0; i < reads; ++i)
    sum =
        w.value(spv::OpIAdd, w.uint_, {sum, w.value(spv::OpCompositeExtract, w.uint_, {constant, i % size})});
  w.store(sum);
  w.end();
  return w.module();
}

// Functions that each call the next several times.
std::vector<uint32_t> calls(uint32_t depth, uint32_t times, uint32_t length) {
  Writer w;
  const uint32_t type = w.type(spv::OpTypeFunction, {w.uint_, w.uint_});
  std::vector<uint32_t> functions;
  for (uint32_t i = 0; i <= depth; ++i) functions.push_back(w.id());
  w.begin();
  w.store(w.value(spv::OpFunctionCall, w.uint_, {functions[0], w.x_}));
  w.end();
  for (uint32_t i = 0; i <= depth; ++i) {
    w.op(spv::OpFunction, {w.uint_, functions[i], 0, type});
    const uint32_t parameter = w.value(spv::OpFunctionParameter, w.uint_, {});
    w.label(w.id());
    uint32_t last = parameter;
    for (uint32_t k = 0; k < (i < depth ? times : length); ++k)
      last = i < depth ? w.value(spv::OpFunctionCall, w.uint_, {functions[i + 1], last})
                       : w.value(spv::OpIMul, w.uint_, {last, parameter});
    w.op(spv::OpReturnValue, {last});
    w.op(spv::OpFunctionEnd, {});
  }
  return w.module();
}

std::vector<uint32_t> many_functions(uint32_t count) {
  Writer w;
  w.begin();
  w.store(w.x_);
  w.end();
  for (uint32_t i = 0; i < count; ++i) {
    w.op(spv::OpFunction, {w.void_, w.id(), 0, w.function_type_});
    w.label(w.id());
    w.end();
  }
  return w.module();
}

// A chain of tests whose values meet in a chain of phis.
std::vector<uint32_t> ladder_of_phis(uint32_t rungs) {
  Writer w;
  w.begin();
  std::vector<std::array<uint32_t, 3>> arms;  // label, value, merge
  uint32_t from = w.entry_;
  for (uint32_t i = 0; i < rungs; ++i) {
    const uint32_t test = w.value(spv::OpIEqual, w.bool_, {w.x_, w.constant_[i % 4]});
    const uint32_t yes = w.id(), no = w.id(), merge = w.id();
    w.op(spv::OpSelectionMerge, {merge, 0});
    w.op(spv::OpBranchConditional, {test, yes, no});
    w.label(yes);
    arms.push_back({yes, w.value(spv::OpIMul, w.uint_, {w.x_, w.constant_[i % 3 + 1]}), merge});
    w.op(spv::OpBranch, {merge});
    w.label(no);
    from = no;
  }
  uint32_t last = w.x_;
  for (size_t i = arms.size(); i-- > 0;) {
    const auto [yes, value, merge] = arms[i];
    w.op(spv::OpBranch, {merge});
    w.label(merge);
    last = w.value(spv::OpPhi, w.uint_, {value, yes, last, from});
    from = merge;
  }
  w.store(last);
  w.end();
  return w.module();
}

}  // namespace
}  // namespace hostile_modules_test

std::vector<HostileModule> hostile_modules() {
  using namespace hostile_modules_test;
  return {{"nested_ifs_1000", nested_ifs(1000), true},
          {"nested_ifs_20000", nested_ifs(20000), false},
          {"nested_loops_15", nested_loops(15), true},
          {"nested_loops_200", nested_loops(200), false},
          {"nested_loops_1000", nested_loops(1000), false},
          {"loops_1000", many_loops(1000), true},
          {"loops_10000", many_loops(10000), false},
          {"diamonds_1000", diamonds(1000, true), true},
          {"diamonds_10000", diamonds(10000, true), false},
          {"diamonds_without_merge_1000", diamonds(1000, false), true},
          {"diamonds_without_merge_10000", diamonds(10000, false), false},
          {"switch_1000", wide_switch(1000, true), true},
          {"switch_10000", wide_switch(10000, true), false},
          {"switch_16000_to_one", wide_switch(16000, false), true},
          {"switch_32000_to_one", wide_switch(32000, false), false},
          {"phis_1000", many_phis(1000), true},
          {"phis_100000", many_phis(100000), false},
          {"wide_phis_1000", wide_phis(1000, 20), true},
          {"wide_phis_3000", wide_phis(3000, 100), true},
          {"block_60000", long_block(60000, false), true},
          {"block_100000_with_stores", long_block(100000, true), false},
          {"block_1000000", long_block(1000000, false), false},
          {"deep_arrays_200", deep_arrays(200), true},
          {"deep_arrays_100000", deep_arrays(100000), false},
          {"doubling_structures_12", doubling_structures(12), true},
          {"doubling_structures_30", doubling_structures(30), false},
          {"doubling_constants_12", doubling_constants(12), true},
          {"doubling_constants_30", doubling_constants(30), false},
          {"read_constants", read_constants(80000, 60000), false},
          {"calls_10", calls(10, 2, 1), true},
          {"calls_10_of_100", calls(10, 2, 100), false},
          {"calls_50", calls(50, 2, 1), false},
          {"calls_100", calls(100, 1, 1), false},
          {"functions_4000", many_functions(4000), true},
          {"functions_20000", many_functions(20000), false},
          {"ladder_of_phis_1000", ladder_of_phis(1000), true},
          {"ladder_of_phis_30000", ladder_of_phis(30000), false}};
}

}  // namespace cutaway::compiler
