#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "base/error.h"
#include "isa/flow.h"
#include "isa/instruction.h"
#include "isa/labels.h"
#include "isa/names.h"
#include "isa/operands.h"
#include "isa/validate.h"

namespace cutaway::isa {
namespace {

// Reads one line of assembly from left to right.
class LineParser {
 public:
  LineParser(std::string_view text, size_t line) : text_(text.substr(0, comment_start(text))), line_(line) {}

  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  // Parses the label "light:" before an instruction and returns its name, or "" if there is none. Skips
  // "12:", which the disassembler prints.
  std::string_view label() {
    skip_space();
    const size_t start = at_;
    const std::string_view name = word();
    if (!name.empty() && at_ < text_.size() && text_[at_] == ':') {
      ++at_;
      return std::isdigit(static_cast<unsigned char>(name[0])) ? "" : name;
    }
    at_ = start;
    return "";
  }

  // Sets `has_explicit_target` if a flow instruction names its target; `called` is the function that a CALL
  // names as its target, "" if it has a number.
  Instruction instruction(bool& has_explicit_target, std::string_view& called) {
    Instruction i;
    skip_space();
    const size_t start = at_;
    parse_operation(i);
    first_operand_ = true;
    if (has_mask(i.op)) i.dst = destination(i.dst.saturate);
    parse_sources(i);
    parse_access(i);
    has_explicit_target = i.op == Opcode::kCall || (has_target(i.op) && !at_end());
    if (has_explicit_target && !at_end()) separator();
    skip_space();
    if (i.op == Opcode::kCall && !at_end() && !std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      called = word();
    } else if (has_explicit_target) {
      i.target = static_cast<uint16_t>(number(arch::kInstructions - 1, "an instruction number"));
    }
    if (!at_end()) fail("the end of the line");
    std::string error;
    if (!valid(i, error)) fail_at(start, error);
    return i;
  }

 private:
  static size_t comment_start(std::string_view text) {
    return std::min({text.find(';'), text.find('#'), text.find("//"), text.size()});
  }

  [[noreturn]] void fail_at(size_t at, std::string_view what) {
    user_error("line {}, column {}: {}", line_, at + 1, what);
  }

  [[noreturn]] void fail(std::string_view expected) {
    skip_space();
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    if (end == at_ && end < text_.size()) ++end;
    const std::string found =
        at_ == text_.size() ? "the end of the line" : fmt::format("'{}'", text_.substr(at_, end - at_));
    fail_at(at_, fmt::format("expected {}, found {}", expected, found));
  }

  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool accept(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}'", c));
  }

  // Parses the separator before an operand; the first operand follows the mnemonic without a comma.
  void separator() {
    if (!first_operand_) expect(',');
    first_operand_ = false;
  }

  std::string_view word() {
    skip_space();
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view w = text_.substr(at_, end - at_);
    at_ = end;
    return w;
  }

  int32_t number(int32_t most, std::string_view what, int32_t least = 0) {
    skip_space();
    const size_t start = at_;
    int32_t value = 0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status != std::errc{}) fail(what);
    at_ = static_cast<size_t>(end - text_.data());
    if (value < least || value > most)
      fail_at(start, fmt::format("{} must be within {} to {}, found {}", what, least, most, value));
    return value;
  }

  void parse_operation(Instruction& i) {
    const size_t start = at_;
    std::string_view name = word();
    const bool saturate = name.ends_with(kSaturateSuffix);
    if (saturate) name.remove_suffix(kSaturateSuffix.size());
    for (uint32_t op = 0; op < kOpcodes; ++op) {
      if (kOpInfo[op].mnemonic != name) continue;
      i.op = static_cast<Opcode>(op);
      i.dst.saturate = saturate;
      if (saturate && !may_saturate(i.op)) fail_at(start, fmt::format("{} has no _SAT form", name));
      return;
    }
    at_ = start;
    fail("an operation");
  }

  void parse_sources(Instruction& i) {
    for (uint32_t n = 0; n < info(i.op).sources; ++n) i.src[n] = source(source_type(i.op, n));
    // An additional source comes before the slots for depth comparison with a cube array and for the offsets
    // of a gather.
    if (info(i.op).sources == 1 && may_compare(i.op)) {
      const size_t before = at_;
      if (accept(',')) {
        skip_space();
        const bool is_slot = at_ < text_.size() && text_[at_] == 't';
        at_ = before;
        if (!is_slot) i.src[1] = source(source_type(i.op, 1));
      }
    }
  }

  uint32_t register_number(char prefix, std::string_view what, uint32_t size) {
    expect(prefix);
    return static_cast<uint32_t>(number(static_cast<int32_t>(size) - 1, what));
  }

  // The temporary that a half register belongs to.
  uint32_t half_of_temporary(Half& half) {
    const int32_t halves = 2 * static_cast<int32_t>(arch::kTemporaries);
    const auto n = static_cast<uint32_t>(number(halves - 1, "the number of half a temporary register"));
    half = n & 1 ? Half::kHigh : Half::kLow;
    return n / 2;
  }

  Destination destination(bool saturate) {
    separator();
    Destination d;
    d.saturate = saturate;
    if (accept('r')) {
      d.file = File::kTemporary;
      d.index = static_cast<uint8_t>(number(arch::kTemporaries - 1, "a temporary register number"));
    } else if (accept('h')) {
      d.file = File::kTemporary;
      d.index = static_cast<uint8_t>(half_of_temporary(d.half));
    } else if (accept('o')) {
      d.file = File::kOutput;
      d.index = static_cast<uint8_t>(number(arch::kShaderOutputs - 1, "an output register number"));
    } else if (!accept('_')) {
      fail("a destination (r, h, o or _)");
    }
    if (!accept('.')) return d;
    d.mask = 0;
    for (uint32_t c = 0; c < 4; ++c)
      if (at_ < text_.size() && text_[at_] == kComponentNames[c]) {
        d.mask = static_cast<uint8_t>(d.mask | 1 << c);
        ++at_;
      }
    if (d.mask == 0 || (at_ < text_.size() && is_word(text_[at_])))
      fail("a write mask (some of xyzw, in this order)");
    return d;
  }

  Source source(OperandType type) {
    separator();
    Source s;
    s.negate = accept(type == OperandType::kLogic ? '~' : '-');
    s.absolute = accept('|');
    if (accept('r')) {
      s.file = File::kTemporary;
      s.index = static_cast<uint16_t>(number(arch::kTemporaries - 1, "a temporary register number"));
    } else if (accept('h')) {
      s.file = File::kTemporary;
      s.index = static_cast<uint16_t>(half_of_temporary(s.half));
    } else if (accept('i')) {
      s.file = File::kInput;
      s.index = static_cast<uint16_t>(number(arch::kShaderInputs - 1, "an input register number"));
    } else if (accept('c')) {
      s.file = File::kConstant;
      s.index = static_cast<uint16_t>(number(arch::kConstants - 1, "a constant register number"));
    } else {
      fail("a source (r, h, i or c)");
    }
    if (accept('.')) s.swizzle = parse_swizzle();
    if (s.absolute) expect('|');
    return s;
  }

  uint8_t parse_swizzle() {
    const size_t start = at_;
    const std::string_view letters = word();
    uint8_t component[4] = {};
    bool good = letters.size() == 1 || letters.size() == 4;
    for (size_t n = 0; n < letters.size() && good; ++n) {
      const size_t c = kComponentNames.find(letters[n]);
      good = c != std::string_view::npos;
      component[n] = static_cast<uint8_t>(c);
    }
    if (!good) {
      at_ = start;
      fail("a swizzle (one or four of xyzw)");
    }
    if (letters.size() == 1) component[1] = component[2] = component[3] = component[0];
    return swizzle(component[0], component[1], component[2], component[3]);
  }

  void parse_access(Instruction& i) {
    if (has_resource(i.op)) {
      separator();
      i.access.resource = static_cast<uint8_t>(register_number('t', "a resource slot", arch::kResources));
    }
    if (has_sampler(i.op)) {
      separator();
      i.access.sampler = static_cast<uint8_t>(register_number('s', "a sampler slot", arch::kSamplers));
    }
    if (has_dim(i.op)) {
      separator();
      i.access.dim = dimension();
    }
    if (has_slot(i.op)) {
      separator();
      i.access.slot = static_cast<uint8_t>(slot(i.op));
    }
    if (has_window(i.op)) {
      separator();
      parse_window(i.access.window);
    }
    const OpClass c = info(i.op).op_class;
    if (is_barrier(i.op) && !at_end()) parse_fences(i);
    if (c == OpClass::kTexture || c == OpClass::kMemory)
      while (accept(',')) parse_option(i);
  }

  uint32_t slot(Opcode op) {
    if (op == Opcode::kLdv) return register_number('v', "a register of a vertex", slots(op));
    if (is_pull(op)) return register_number('i', "an interpolant", slots(op));
    return static_cast<uint32_t>(number(slots(op) - 1, "a stream"));
  }

  void parse_window(ConstantWindow& window) {
    skip_space();
    const size_t start = at_;
    if (word() != kWindowName) {
      at_ = start;
      fail("WINDOW(first register, count)");
    }
    expect('(');
    const auto most = static_cast<int32_t>(arch::kConstants);
    window.first = static_cast<uint16_t>(number(most - 1, "the first register"));
    expect(',');
    window.count = static_cast<uint16_t>(number(most - window.first, "a number of registers", 1));
    expect(')');
  }

  void parse_fences(Instruction& i) {
    do {
      skip_space();
      const size_t start = at_;
      const std::string_view memory = word();
      if (memory == kFenceSharedName) {
        i.access.fence |= kFenceShared;
      } else if (memory == kFenceDeviceName) {
        i.access.fence |= kFenceDevice;
      } else {
        at_ = start;
        fail("a memory (SHARED or DEVICE)");
      }
    } while (accept(','));
  }

  TextureDim dimension() {
    skip_space();
    const size_t start = at_;
    const auto* end = std::end(kDimNames);
    const auto* found = std::find(std::begin(kDimNames), end, word());
    if (found == end) {
      at_ = start;
      fail("a texture dimension (1D, 2D, 3D, CUBE, 1DARRAY, 2DARRAY, CUBEARRAY, BUFFER, 2DMS or 2DMSARRAY)");
    }
    return static_cast<TextureDim>(found - std::begin(kDimNames));
  }

  void parse_option(Instruction& i) {
    skip_space();
    const size_t start = at_;
    const std::string_view option = word();
    if (option == "SHADOW" && may_compare(i.op)) {
      i.access.shadow = true;
    } else if (option == "GATHER" && i.op == Opcode::kTxg) {
      expect('(');
      const size_t c = kComponentNames.find(at_ < text_.size() ? text_[at_] : '?');
      if (c == std::string_view::npos) fail("a component (one of xyzw)");
      i.access.gather = static_cast<uint8_t>(c);
      ++at_;
      expect(')');
    } else if (option == "OP" && is_atomic(i.op)) {
      expect('(');
      i.access.atomic = static_cast<AtomicOp>(number(kAtomicOps - 1, "an atomic operation"));
      expect(')');
    } else if (option == "HALF" && has_size(i.op)) {
      i.access.size = StoreSize::kHalf;
    } else if (option == "BYTE" && has_size(i.op)) {
      i.access.size = StoreSize::kByte;
    } else if (option == kCachedName && may_be_cached(i.op)) {
      i.access.cached = true;
    } else if (option == "OFFSET" && has_offset(i.op)) {
      expect('(');
      for (int n = 0; n < 3; ++n) {
        if (n > 0) expect(',');
        i.access.offset[n] = static_cast<int8_t>(number(7, "a texel offset", -8));
      }
      expect(')');
    } else {
      at_ = start;
      fail(fmt::format("an option of {}", info(i.op).mnemonic));
    }
  }

  std::string_view text_;
  size_t line_ = 0, at_ = 0;
  bool first_operand_ = true;
};

}  // namespace

std::vector<Instruction> assemble(std::string_view text) {
  std::vector<Instruction> program;
  std::vector<size_t> lines;
  std::vector<bool> named;
  Labels labels;
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    LineParser parser(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const std::string_view name = parser.label(); !name.empty())
      labels.define(name, program.size(), line);
    if (parser.at_end()) continue;
    bool has_explicit_target = false;
    std::string_view called;
    program.push_back(parser.instruction(has_explicit_target, called));
    if (!called.empty()) labels.call(called, program.size() - 1);
    lines.push_back(line);
    named.push_back(has_explicit_target || !has_target(program.back().op));
  }
  labels.resolve(program, lines);
  if (std::find(named.begin(), named.end(), false) == named.end()) return program;
  // Missing targets follow from nesting.
  std::vector<uint16_t> targets;
  size_t where = 0;
  std::string error;
  if (!flow_targets(program, targets, where, error))
    user_error("line {}, column 1: {}", lines.empty() ? 1 : lines[where], error);
  for (size_t n = 0; n < program.size(); ++n)
    if (!named[n]) program[n].target = targets[n];
  return program;
}

}  // namespace cutaway::isa
