#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

// A small assembler of shader models 4 and 5, for the kinds of shaders that Wine's own compiler does not
// know: geometry, hull, domain and compute. Tokens are those of the tokenized program format that
// d3d11TokenizedProgramFormat.hpp of the Windows driver kit describes.
namespace direct3d {

using Words = std::vector<uint32_t>;

enum class Kind : uint32_t { kPixel, kVertex, kGeometry, kHull, kDomain, kCompute };

enum Opcode : uint32_t {
  kAdd = 0,
  kAnd = 1,
  kCut = 9,
  kElse = 18,
  kEmit = 19,
  kEndIf = 21,
  kFtoU = 28,
  kIadd = 30,
  kIf = 31,
  kIshl = 41,
  kMad = 50,
  kMov = 54,
  kMul = 56,
  kRet = 62,
  kSincos = 77,
  kUlt = 79,
  kUshr = 85,
  kUtoF = 86,
  kXor = 87,
  kDclConstantBuffer = 89,
  kDclOutputTopology = 92,
  kDclInputPrimitive = 93,
  kDclMaxOutput = 94,
  kDclInput = 95,
  kDclInputSiv = 97,
  kDclOutput = 101,
  kDclOutputSiv = 103,
  kDclTemps = 104,
  kDclGlobalFlags = 106,
  kHsDecls = 113,
  kHsForkPhase = 115,
  kDclInputControlPoints = 147,
  kDclOutputControlPoints = 148,
  kDclTessDomain = 149,
  kDclTessPartitioning = 150,
  kDclTessOutputPrimitive = 151,
  kDclThreadGroup = 155,
  kDclUavTyped = 156,
  kDclUavStructured = 158,
  kDclSharedStructured = 160,
  kLdStructured = 167,
  kStoreStructured = 168,
  kStoreUavTyped = 164,
  kAtomicIadd = 173,
  kImmAtomicAlloc = 178,
  kImmAtomicConsume = 179,
  kSync = 190,
};

// Components: "x" selects, "xyzw" as a source swizzles, as a destination masks.
struct Operand {
  Words words;
};

enum File : uint32_t {
  kTemp = 0,
  kInput = 1,
  kOutput = 2,
  kLiteral = 4,
  kConstantBuffer = 8,
  kControlPoint = 25,
  kDomainPoint = 28,
  kUav = 30,
  kShared = 31,
  kThread = 32,
  kThreadInGroup = 34,
  kIndexInGroup = 36,
};

inline uint32_t component(char c) { return c == 'w' ? 3 : static_cast<uint32_t>(c - 'x'); }

inline Operand destination(File file, std::initializer_list<uint32_t> indices, const char* mask) {
  uint32_t token = 2 | file << 12 | static_cast<uint32_t>(indices.size()) << 20;
  for (const char* c = mask; *c; c++) token |= 16u << component(*c);
  Operand made{{token}};
  made.words.insert(made.words.end(), indices);
  return made;
}

// One component is selected; of fewer than four the last is repeated.
inline Operand source(File file, std::initializer_list<uint32_t> indices, const char* swizzle = "xyzw") {
  const size_t count = std::strlen(swizzle);
  uint32_t token = 2 | file << 12 | static_cast<uint32_t>(indices.size()) << 20;
  if (count == 1) token |= 2u << 2 | component(swizzle[0]) << 4;
  else token |= 1u << 2;
  for (uint32_t i = 0; count > 1 && i < 4; i++)
    token |= component(swizzle[std::min<size_t>(i, count - 1)]) << (4 + 2 * i);
  Operand made{{token}};
  made.words.insert(made.words.end(), indices);
  return made;
}

// An operand without components: a declared UAV, or its counter.
inline Operand whole(File file, std::initializer_list<uint32_t> indices) {
  Operand made{{file << 12 | static_cast<uint32_t>(indices.size()) << 20}};
  made.words.insert(made.words.end(), indices);
  return made;
}

inline Operand negated(Operand of) {
  of.words[0] |= 1u << 31;
  of.words.insert(of.words.begin() + 1, 1u | 1u << 6);  // an extension: the modifier "negate"
  return of;
}

inline Operand literal(float x, float y, float z, float w) {
  return {{2u | 1u << 2 | 0xe4u << 4 | kLiteral << 12, std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y),
           std::bit_cast<uint32_t>(z), std::bit_cast<uint32_t>(w)}};
}
inline Operand literal(uint32_t word) { return {{1u | kLiteral << 12, word}}; }
inline Operand literal(float value) { return literal(std::bit_cast<uint32_t>(value)); }

// A register of a signature: its semantic, how Direct3D treats it (D3D_NAME; 0: nothing of its own), its
// components' type (1: uint, 3: float), and which components there are.
struct Parameter {
  const char* semantic;
  uint32_t index, value, type, number, mask;
};

inline Words signature(const std::vector<Parameter>& parameters) {
  Words made = {static_cast<uint32_t>(parameters.size()), 8};
  std::string names;
  const auto names_at = static_cast<uint32_t>(8 + 24 * parameters.size());
  for (const Parameter& p : parameters) {
    made.insert(made.end(), {names_at + static_cast<uint32_t>(names.size()), p.index, p.value, p.type,
                             p.number, p.mask | p.mask << 8});
    names += p.semantic;
    names += '\0';
  }
  names.resize((names.size() + 3) / 4 * 4);
  const size_t at = made.size();
  made.resize(at + names.size() / 4);
  std::memcpy(made.data() + at, names.data(), names.size());
  return made;
}

// A compiled shader as it is stored: chunks in a container. Wine does not look at its sum, which stays zero.
class Container {
 public:
  void add(const char* name, const Words& data) { chunks_.push_back({name, data}); }

  Words words() const {
    uint32_t offset = (8 + static_cast<uint32_t>(chunks_.size())) * 4;
    Words made = {tag("DXBC"), 0, 0, 0, 0, 1, 0, static_cast<uint32_t>(chunks_.size())};
    for (const auto& [name, data] : chunks_) {
      made.push_back(offset);
      offset += static_cast<uint32_t>(data.size() + 2) * 4;
    }
    made[6] = offset;
    for (const auto& [name, data] : chunks_) {
      made.insert(made.end(), {tag(name), static_cast<uint32_t>(data.size() * 4)});
      made.insert(made.end(), data.begin(), data.end());
    }
    return made;
  }

 private:
  static uint32_t tag(const char* name) {
    uint32_t word = 0;
    std::memcpy(&word, name, 4);
    return word;
  }

  std::vector<std::pair<const char*, Words>> chunks_;
};

class Assembler {
 public:
  Assembler(Kind kind, uint32_t major)
      : code_{static_cast<uint32_t>(kind) << 16 | major << 4, 0}, major_(major) {}

  // `controls`: bits 11 and up of the opcode's token, `last`: words behind the operands.
  void op(Opcode opcode, const std::vector<Operand>& operands = {}, uint32_t controls = 0,
          std::initializer_list<uint32_t> last = {}) {
    const size_t at = code_.size();
    code_.push_back(opcode | controls << 11);
    for (const Operand& operand : operands)
      code_.insert(code_.end(), operand.words.begin(), operand.words.end());
    code_.insert(code_.end(), last);
    code_[at] |= static_cast<uint32_t>(code_.size() - at) << 24;
  }

  Words finish(const std::vector<Parameter>& inputs, const std::vector<Parameter>& outputs,
               const std::vector<Parameter>& of_patch = {}) {
    code_[1] = static_cast<uint32_t>(code_.size());
    Container container;
    container.add("ISGN", signature(inputs));
    container.add("OSGN", signature(outputs));
    if (!of_patch.empty()) container.add("PCSG", signature(of_patch));
    container.add(major_ >= 5 ? "SHEX" : "SHDR", code_);
    return container.words();
  }

 private:
  Words code_;
  uint32_t major_;
};

}  // namespace direct3d
