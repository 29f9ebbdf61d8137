#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/compiler.h"

// A validated SPIR-V module, taken apart: what one of its entry points needs.
namespace cutaway::compiler {

// One SPIR-V instruction. `words` are its operands: what follows the result type and the result.
struct Word {
  uint16_t op = 0;
  uint32_t type = 0, result = 0;  // ids or 0
  std::span<const uint32_t> words;
  uint32_t number = 0;  // counted from 0 in the module
};

// An operand of an instruction. InvalidShader: it has fewer.
uint32_t arg(const Word& word, size_t index);
// Refuses an instruction (refusal.h).
[[noreturn]] void unsupported(const Word& word, const char* why = "is not supported");
[[noreturn]] void invalid(const Word& word, const char* why);

struct Decorations {
  std::optional<uint32_t> location, component, index, builtin, set, binding, offset, matrix_stride,
      array_stride, input_attachment, xfb_buffer, xfb_stride, spec_id, stream;
  bool flat = false, linear = false, centroid = false, sample = false, row_major = false, block = false,
       buffer_block = false, patch = false, coherent = false,  // or volatile
      relaxed = false;
};

// Adds one by its number and operands. UnsupportedShader: one that is not supported.
void decorate(Decorations& decorations, uint32_t what, std::span<const uint32_t> words);
// Adds all of a group's (OpDecorationGroup).
void decorate(Decorations& decorations, const Decorations& group);

enum class TypeKind : uint8_t {
  kVoid,
  kBool,
  kInt,
  kFloat,
  kVector,
  kMatrix,
  kArray,
  kRuntimeArray,
  kStruct,
  kPointer,
  kImage,
  kSampler,
  kSampledImage,
  kFunction
};

struct Type {
  TypeKind kind = TypeKind::kVoid;
  bool is_signed = false;
  uint32_t bits = 32;             // int, float
  uint32_t element = 0;           // vector, matrix, array, pointer, sampled image: type id
  uint32_t count = 0;             // vector, matrix, array: elements
  std::vector<uint32_t> members;  // struct: type ids
  std::vector<uint32_t> starts;   // struct: first component of each member
  uint32_t components = 0;        // words of a value (docs/compiler.md "Types of other sizes")
  uint32_t storage = 0;           // pointer
  // Images:
  uint32_t dim = 0, sampled = 0;
  bool arrayed = false, multisampled = false;
};

struct Function {
  Word definition;
  std::vector<Word> parameters;
  std::vector<uint32_t> labels;  // its blocks
};

// A basic block: instructions after the label, terminator included.
struct Label {
  std::vector<Word> body;
  uint32_t merge = 0, continues = 0;  // of OpSelectionMerge, OpLoopMerge
  bool loop = false;
};

struct Module {
  std::vector<uint32_t> binary;
  std::unordered_map<uint32_t, Type> types;
  std::unordered_map<uint32_t, Decorations> decorations;
  std::map<std::pair<uint32_t, uint32_t>, Decorations> member_decorations;
  std::unordered_map<uint32_t, Word> constants;  // by id, OpUndef too
  // Components of the constants among them that operations make (OpSpecConstantOp).
  std::unordered_map<uint32_t, std::vector<uint32_t>> evaluated;
  std::vector<Word> variables;  // of the module, those that the entry point reaches
  std::unordered_map<uint32_t, Function> functions;
  std::unordered_map<uint32_t, Label> blocks;
  std::unordered_set<uint32_t> wide_switches;  // of OpSwitch whose literals have 64 bits: their numbers
  std::unordered_map<uint32_t, std::string> extensions;  // OpExtInstImport
  uint32_t entry = 0;                                    // function
  bool early_tests = false, depth_replacing = false;
  bool variable_pointers = false;                  // pointers into buffers and workgroup memory are values
  std::array<uint32_t, 3> local_size = {1, 1, 1};  // invocations of a workgroup
  isa::PrimitiveModes modes;

  const Type& type(uint32_t id) const;
  // The scalar that a scalar, a vector, a matrix or an array is made of; void where there is none.
  const Type& scalar(uint32_t type_id) const;
  // The integer that a constant is; nothing if it is not one.
  std::optional<uint32_t> integer(uint32_t id) const;
  const Decorations& decoration(uint32_t id) const;
  const Decorations& member(uint32_t type, uint32_t index) const;
};

// Validates, sets specialization constants and takes apart. Throws what refusal.h has, and a UserError where
// the module has no such entry point.
Module load_module(const Request& request);

// Whether variables of a storage class are descriptors, or arrays of some.
bool is_descriptor_storage(uint32_t storage);
// Whether pointers of a storage class are values where a module has variable pointers.
bool is_variable_storage(uint32_t storage);

// The name of a SPIR-V operation, capability or decoration.
std::string op_name(uint32_t op);
std::string capability_name(uint32_t capability);
std::string decoration_name(uint32_t decoration);
std::string builtin_name(uint32_t builtin);
std::string storage_name(uint32_t storage);
std::string glsl_name(uint32_t instruction);  // of GLSL.std.450

}  // namespace cutaway::compiler
