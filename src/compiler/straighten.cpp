#include "compiler/straighten.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/instruction_stream.h"
#include "compiler/module.h"

namespace cutaway::compiler {
namespace {

struct Numbered : Raw {
  uint32_t index = 0;  // in the module
};

// A block of a function: its label, what it computes, and its terminator.
struct ModuleBlock {
  Numbered label, end;
  std::vector<Numbered> body;
  std::vector<uint32_t> targets;  // by position in the function
};

class Straightener {
 public:
  explicit Straightener(const Admitted& module) : module_(module) {
    out_.words.assign(module.words.begin(), module.words.begin() + kHeaderWords);
  }

  Straight run() {
    uint32_t index = 0;
    each_instruction(module_.words, [&](const Raw& raw) {
      note_width(raw);
      take({raw, index++});
    });
    if (in_function_) fail(index - 1, "is in a function that has no OpFunctionEnd");
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(uint32_t index, const char* why) const {
    invalid("{} {}", place_of(module_, index), why);
  }

  // Integers of 64 bits: an OpSwitch on one has literals of two words.
  void note_width(const Raw& raw) {
    bool has_result = false, has_type = false;
    spv::HasResultAndType(static_cast<spv::Op>(raw.op), &has_result, &has_type);
    if (raw.op == spv::OpTypeInt && raw.operand(2) == 64) wide_types_.push_back(raw.operand(1));
    if (has_type && has_result &&
        std::find(wide_types_.begin(), wide_types_.end(), raw.operand(1)) != wide_types_.end())
      wide_[raw.operand(2)] = true;
  }

  void take(const Numbered& word) {
    if (word.op == spv::OpFunction) {
      if (in_function_) fail(word.index, "begins within another function");
      in_function_ = true;
      emit(word);
    } else if (!in_function_) {
      emit(word);
    } else if (word.op == spv::OpFunctionEnd) {
      if (open_) fail(word.index, "follows a block that has no terminator");
      function();
      emit(word);
      blocks_.clear();
      in_function_ = false;
    } else if (word.op == spv::OpFunctionParameter && blocks_.empty()) {
      emit(word);
    } else if (word.op == spv::OpLabel) {
      if (open_) fail(word.index, "follows a block that has no terminator");
      open_ = true;
      blocks_.push_back({word, {}, {}, {}});
    } else {
      if (!open_) fail(word.index, "lies outside a block");
      if (is_terminator(word.op)) {
        blocks_.back().end = word;
        open_ = false;
      } else {
        blocks_.back().body.push_back(word);
      }
    }
  }

  void emit(const Numbered& word) { emit(word.index, word.words); }
  void emit(uint32_t index, std::span<const uint32_t> words) {
    out_.words.insert(out_.words.end(), words.begin(), words.end());
    out_.from.push_back(index);
  }
  void emit(uint32_t index, spv::Op op, std::initializer_list<uint32_t> operands) {
    out_.words.push_back(static_cast<uint32_t>(operands.size() + 1) << spv::WordCountShift | op);
    out_.words.insert(out_.words.end(), operands.begin(), operands.end());
    out_.from.push_back(index);
  }
  uint32_t new_id() { return out_.words[3]++; }

  void link() {
    std::unordered_map<uint32_t, uint32_t> number;
    for (uint32_t i = 0; i < blocks_.size(); ++i) number[blocks_[i].label.operand(1)] = i;
    for (ModuleBlock& block : blocks_) {
      const Numbered& end = block.end;
      const auto target = [&](size_t operand) {
        const auto found = number.find(end.operand(operand));
        if (found == number.end()) fail(end.index, "leads to no block of its function");
        if (found->second == 0) fail(end.index, "leads to the first block of its function");
        block.targets.push_back(found->second);
      };
      if (end.op == spv::OpBranch) target(1);
      if (end.op == spv::OpBranchConditional) target(2), target(3);
      if (end.op != spv::OpSwitch) continue;
      target(2);
      const size_t literal = wide_.contains(end.operand(1)) ? 2 : 1;
      for (size_t i = 3 + literal; i < end.words.size(); i += literal + 1) target(i);
    }
  }

  // Blocks in reverse postorder, in which each comes after those that dominate it; then the others.
  std::vector<uint32_t> order() const {
    std::vector<uint32_t> postorder;
    std::vector<bool> seen(blocks_.size());
    std::vector<std::pair<uint32_t, size_t>> open = {{0, 0}};  // block, its next target
    seen[0] = true;
    while (!open.empty()) {
      auto& [block, next] = open.back();
      const std::vector<uint32_t>& targets = blocks_[block].targets;
      if (next == targets.size()) {
        postorder.push_back(block);
        open.pop_back();
        continue;
      }
      const uint32_t target = targets[next++];
      if (seen[target]) continue;
      seen[target] = true;
      open.push_back({target, 0});
    }
    std::reverse(postorder.begin(), postorder.end());
    for (uint32_t i = 0; i < blocks_.size(); ++i)
      if (!seen[i]) postorder.push_back(i);
    return postorder;
  }

  // The first block keeps its variables and gets an undefined value of the type of each phi. The second has
  // the phis, of these values, and everything else.
  void function() {
    if (blocks_.empty()) return;  // declared only
    link();
    const uint32_t first = blocks_[0].label.operand(1), second = new_id();
    emit(blocks_[0].label);
    for (const Numbered& word : blocks_[0].body)
      if (word.op == spv::OpVariable) emit(word);
    std::unordered_map<uint32_t, uint32_t> undefined;  // by type
    std::vector<const Numbered*> phis;
    for (const ModuleBlock& block : blocks_)
      for (const Numbered& word : block.body) {
        if (word.op != spv::OpPhi) continue;
        phis.push_back(&word);
        if (const auto [value, added] = undefined.try_emplace(word.operand(1), 0); added)
          emit(word.index, spv::OpUndef, {word.operand(1), value->second = new_id()});
      }
    emit(blocks_[0].label.index, spv::OpBranch, {second});
    emit(blocks_[0].label.index, spv::OpLabel, {second});
    for (const Numbered* phi : phis)
      emit(phi->index, spv::OpPhi, {phi->operand(1), phi->operand(2), undefined[phi->operand(1)], first});
    for (const uint32_t block : order())
      for (const Numbered& word : blocks_[block].body)
        if (word.op != spv::OpPhi && word.op != spv::OpSelectionMerge && word.op != spv::OpLoopMerge &&
            !(block == 0 && word.op == spv::OpVariable))
          emit(word);
    emit(blocks_.back().end.index, spv::OpUnreachable, {});
  }

  const Admitted& module_;
  Straight out_;
  std::vector<uint32_t> wide_types_;
  std::unordered_map<uint32_t, bool> wide_;
  std::vector<ModuleBlock> blocks_;  // of the function
  bool in_function_ = false, open_ = false;
};

}  // namespace

Straight straightened(const Admitted& module) { return Straightener(module).run(); }

}  // namespace cutaway::compiler
