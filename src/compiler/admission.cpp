#include "compiler/admission.h"

#include <algorithm>
#include <spirv-tools/libspirv.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "compiler/capabilities.h"
#include "compiler/instruction_stream.h"
#include "compiler/module.h"

namespace cutaway::compiler {
namespace {

constexpr uint32_t kOpExtInstWithForwardRefs = 4433;  // SPV_KHR_relaxed_extended_instruction

std::string text_of(const Raw& raw, size_t first) {
  std::string text;
  for (size_t i = first; i < raw.words.size(); ++i)
    for (uint32_t shift = 0; shift < 32; shift += 8) {
      const char c = static_cast<char>(raw.words[i] >> shift & 0xff);
      if (c == 0) return text;
      text += c;
    }
  return text;
}

// Sets of instructions for debuggers: no result of theirs is read by anything else.
bool is_for_debuggers(std::string_view set) {
  return set.starts_with("NonSemantic.") || set == "OpenCL.DebugInfo.100" || set == "DebugInfo";
}

// True for decorations that the compiler reads (decorate.cpp) or the validator asks for. Others are hints, or
// come with a capability that is not supported.
bool is_decoration_kept(uint32_t decoration) {
  switch (decoration) {
    case spv::DecorationNonUniform:
    case spv::DecorationRestrictPointer:
    case spv::DecorationAliasedPointer:
      return true;
    default:
      return decoration <= spv::DecorationUniformId || (decoration >= spv::DecorationSaturatedConversion &&
                                                        decoration <= spv::DecorationInputAttachmentIndex);
  }
}

// True for execution modes of SPIR-V itself and for those that the compiler reads. Others come with a
// capability that is not supported, or promise what holds here anyway (MaximallyReconvergesKHR: lanes that
// part at a branch go on together behind it).
bool is_mode_kept(uint32_t mode) {
  return mode <= spv::ExecutionModeLocalSizeHintId || mode == spv::ExecutionModePostDepthCoverage ||
         (mode >= spv::ExecutionModeDenormPreserve && mode <= spv::ExecutionModeRoundingModeRTZ) ||
         mode == spv::ExecutionModeStencilRefReplacingEXT;
}

class Admission {
 public:
  explicit Admission(std::span<const uint32_t> spirv) : spirv_(spirv) {}

  Admitted run() {
    header();
    admitted_.words.assign(spirv_.begin(), spirv_.begin() + kHeaderWords);
    uint32_t number = 0;
    each_instruction(spirv_, [&](const Raw& raw) {
      if (has_meaning(raw)) keep(raw, number);
      ++number;
    });
    call_depth();
    return std::move(admitted_);
  }

 private:
  void header() const {
    if (spirv_.size() < kHeaderWords || spirv_[0] != spv::MagicNumber)
      invalid("not a SPIR-V module: expected the magic number {:#x} in a header of 5 words",
              static_cast<uint32_t>(spv::MagicNumber));
    if (spirv_.size() > kMaxModuleWords)
      unsupported("it is too large: {} words; at most {} are supported", spirv_.size(), kMaxModuleWords);
    const uint32_t version = spirv_[1];
    if (version < 0x10000 || version > 0x10600 || (version & 0xff0000ff) != 0)
      unsupported("it is of SPIR-V version {}.{}; 1.0 to 1.6 are supported", version >> 16 & 0xff,
                  version >> 8 & 0xff);
  }

  bool has_meaning(const Raw& raw) {
    switch (raw.op) {
      case spv::OpNop:
      case spv::OpSource:
      case spv::OpSourceContinued:
      case spv::OpSourceExtension:
      case spv::OpName:
      case spv::OpMemberName:
      case spv::OpString:
      case spv::OpLine:
      case spv::OpNoLine:
      case spv::OpModuleProcessed:
      case spv::OpDecorateString:
      case spv::OpMemberDecorateString:
      case spv::OpAssumeTrueKHR:
        return false;
      case spv::OpExtInstImport:
        if (!is_for_debuggers(text_of(raw, 2))) return true;
        debug_sets_.insert(raw.operand(1));
        return false;
      case spv::OpExtInst:
      case kOpExtInstWithForwardRefs:
        return !debug_sets_.contains(raw.operand(3));
      case spv::OpDecorate:
      case spv::OpDecorateId:
        return is_decoration_kept(raw.operand(2));
      case spv::OpMemberDecorate:
        return is_decoration_kept(raw.operand(3));
      case spv::OpExecutionMode:
      case spv::OpExecutionModeId:
        return is_mode_kept(raw.operand(2));
      case spv::OpCapability:
        return !is_meaningless_capability(raw.operand(1));
      default:
        return true;
    }
  }

  void keep(const Raw& raw, uint32_t number) {
    const Origin origin{number, raw.at};
    check(raw, origin);
    const size_t at = admitted_.words.size();
    admitted_.words.insert(admitted_.words.end(), raw.words.begin(), raw.words.end());
    if (raw.op == spv::OpExpectKHR && raw.words.size() == 5) {  // is its first operand
      admitted_.words[at] = 4u << spv::WordCountShift | spv::OpCopyObject;
      admitted_.words.pop_back();
    }
    admitted_.origin.push_back(origin);
    limit(admitted_.origin.size(), kMaxInstructions, "instructions");
    limit(admitted_.words.size(), kMaxKeptWords, "words of instructions");
  }

  static void limit(size_t count, uint32_t most, const char* what) {
    if (count > most) unsupported("it is too large: more than {} {}", most, what);
  }

  void check(const Raw& raw, const Origin& origin) {
    if (std::string_view(spvOpcodeString(raw.op)) == "unknown")
      unsupported("instruction {} (at word {}) is no known one: its opcode is {}", origin.number, origin.word,
                  raw.op);
    switch (raw.op) {
      case spv::OpCapability:
        check_capability(raw.operand(1));
        break;
      case spv::OpEntryPoint:
        limit(++entry_points_, kMaxEntryPoints, "entry points");
        break;
      case spv::OpFunction:
        function_ = raw.operand(2);
        limit(++functions_, kMaxFunctions, "functions");
        break;
      case spv::OpFunctionCall:
        calls_[function_].push_back(raw.operand(3));
        break;
      case spv::OpLabel:
        limit(++labels_, kMaxLabels, "blocks");
        break;
      case spv::OpVariable:
        limit(++variables_, kMaxVariables, "variables");
        break;
      case spv::OpSwitch:
        limit((raw.words.size() - 1) / 2, kMaxSwitchTargets, "targets of an OpSwitch");
        break;
      default:
        if (raw.op >= spv::OpTypeVoid && raw.op <= spv::OpTypeFunction) type(raw);
    }
  }

  // The depth of a type and the number of its members with those of its members: tools walk types
  // recursively.
  void type(const Raw& raw) {
    size_t first = raw.words.size(), last = raw.words.size();  // the operands that are types
    switch (raw.op) {
      case spv::OpTypeVector:
      case spv::OpTypeMatrix:
      case spv::OpTypeArray:
      case spv::OpTypeRuntimeArray:
      case spv::OpTypeImage:
      case spv::OpTypeSampledImage:
        first = 2, last = 3;
        break;
      case spv::OpTypePointer:
        first = 3, last = 4;
        break;
      case spv::OpTypeStruct:
        limit(raw.words.size() - 2, kMaxMembers, "members of a structure");
        first = 2;
        break;
      case spv::OpTypeFunction:
        limit(raw.words.size() - 2, kMaxParameters + 1, "parameters of a function");
        first = 2;
        break;
      default:
        break;
    }
    Size size{1, 1};
    for (size_t i = first; i < std::min(last, raw.words.size()); ++i) {
      const auto member = types_.find(raw.words[i]);
      if (member == types_.end()) continue;  // a pointer that is declared later, or an error
      size.depth = std::max(size.depth, member->second.depth + 1);
      size.leaves += member->second.leaves;
      limit(size.depth, kMaxTypeDepth, "types within one another");
      limit(size.leaves, kMaxTypeLeaves, "members of a type, with those of its members");
    }
    types_[raw.operand(1)] = size;
  }

  // Refuses recursion, and calls that are nested too deeply for inlining.
  void call_depth() const {
    std::unordered_map<uint32_t, uint32_t> depth;  // of functions that are done; 0: open
    struct Open {
      uint32_t function;
      size_t next;     // call to look at
      uint32_t below;  // depth of the calls that were looked at
    };
    for (const auto& [start, targets] : calls_) {
      if (depth.contains(start)) continue;
      std::vector<Open> open = {{start, 0, 0}};
      depth[start] = 0;
      while (!open.empty()) {
        Open& top = open.back();
        const auto calls = calls_.find(top.function);
        if (calls == calls_.end() || top.next == calls->second.size()) {
          const uint32_t done = depth[top.function] = top.below + 1;
          limit(done, kMaxCallDepth, "calls within one another");
          open.pop_back();
          if (!open.empty()) open.back().below = std::max(open.back().below, done);
          continue;
        }
        const uint32_t target = calls->second[top.next++];
        const auto [found, added] = depth.try_emplace(target, 0);
        if (!added && found->second == 0) invalid("function %{} calls itself", target);
        if (added) open.push_back({target, 0, 0});
        else top.below = std::max(top.below, found->second);
      }
    }
  }

  struct Size {
    uint32_t depth = 0;
    uint64_t leaves = 0;
  };
  std::span<const uint32_t> spirv_;
  Admitted admitted_;
  std::unordered_set<uint32_t> debug_sets_;
  std::unordered_map<uint32_t, Size> types_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> calls_;  // by function
  uint32_t function_ = 0;
  size_t entry_points_ = 0, functions_ = 0, labels_ = 0, variables_ = 0;
};

}  // namespace

Admitted admit(std::span<const uint32_t> spirv) { return Admission(spirv).run(); }

std::string place_of(const Admitted& module, size_t instruction) {
  if (instruction >= module.origin.size()) return "the end of the module";
  const Origin& origin = module.origin[instruction];
  size_t at = kHeaderWords;
  for (size_t i = 0; i < instruction; ++i) at += module.words[at] >> 16;
  return fmt::format("instruction {} ({} at word {})", origin.number, op_name(module.words[at] & 0xffff),
                     origin.word);
}

}  // namespace cutaway::compiler
