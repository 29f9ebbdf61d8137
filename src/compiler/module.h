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

#include "compiler/admission.h"
#include "compiler/compiler.h"

// A validated SPIR-V module in parsed form: everything that one of its entry points needs.
namespace cutaway::compiler {

// One SPIR-V instruction. `words` are the operands after the result type and the result.
struct Word {
  uint16_t op = 0;
  uint32_t type = 0, result = 0;  // ids or 0
  std::span<const uint32_t> words;
  uint32_t number = 0;  // counted from 0 in the module as it was given

  // 0: it has fewer.
  uint32_t operand(size_t index) const { return index < words.size() ? words[index] : 0; }
};

// Returns an operand of an instruction. InvalidShader: it has fewer.
uint32_t arg(const Word& word, size_t index);
// Rejects an instruction (refusal.h).
[[noreturn]] void unsupported(const Word& word, const char* why = "is not supported");
[[noreturn]] void invalid(const Word& word, const char* why);

struct Decorations {
  std::optional<uint32_t> location, component, index, builtin, set, binding, offset, matrix_stride,
      array_stride, input_attachment, xfb_buffer, xfb_stride, spec_id, stream, rounding;
  bool flat = false, linear = false, centroid = false, sample = false, row_major = false, block = false,
       buffer_block = false, patch = false, coherent = false,  // coherent or volatile
      relaxed = false;
};

// Adds a decoration by its number and operands. UnsupportedShader: it is not supported.
void decorate(Decorations& decorations, uint32_t what, std::span<const uint32_t> words);
// Adds all decorations of a group (OpDecorationGroup).
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
  uint32_t merge = 0, continues = 0;  // from OpSelectionMerge, OpLoopMerge
  bool loop = false;
};

struct Module {
  std::vector<uint32_t> binary;  // instructions that have a meaning (admission.h)
  std::vector<Origin> origin;    // of each of them
  std::unordered_map<uint32_t, Type> types;
  std::unordered_map<uint32_t, Decorations> decorations;
  std::map<std::pair<uint32_t, uint32_t>, Decorations> member_decorations;
  std::unordered_map<uint32_t, Word> constants;  // by id, OpUndef too
  // Components of those constants that operations compute (OpSpecConstantOp).
  std::unordered_map<uint32_t, std::vector<uint32_t>> evaluated;
  std::vector<Word> variables;  // module variables that the entry point reaches
  std::unordered_map<uint32_t, Function> functions;
  std::unordered_map<uint32_t, Label> blocks;
  std::unordered_set<uint32_t> wide_switches;  // numbers of OpSwitch instructions with 64-bit literals
  std::unordered_map<uint32_t, std::string> extensions;  // OpExtInstImport
  uint32_t entry = 0;                                    // function
  bool early_tests = false, depth_replacing = false;
  bool depth_not_less = false, depth_not_greater = false;  // than the interpolated one
  bool flushes_floats = false;     // signs are changed by operations that flush denormals, too
  bool exact_floats = false;       // x + 0 and 1 x are computed: they change signs of zeros, and denormals
  bool variable_pointers = false;  // pointers to buffers and workgroup memory are values
  std::array<uint32_t, 3> local_size = {1, 1, 1};  // invocations of a workgroup
  isa::PrimitiveModes modes;

  const Type& type(uint32_t id) const;
  // The scalar type of a scalar, a vector, a matrix or an array; void for other types.
  const Type& scalar(uint32_t type_id) const;
  // The value of an integer constant; nothing if the id is not one.
  std::optional<uint32_t> integer(uint32_t id) const;
  const Decorations& decoration(uint32_t id) const;
  const Decorations& member(uint32_t type, uint32_t index) const;
};

// Validates the module, applies specialization constants and parses it. Throws the errors of refusal.h, and a
// UserError if the module has no such entry point.
Module load_module(const Request& request);

// True if variables of a storage class are descriptors, or arrays of descriptors.
bool is_descriptor_storage(uint32_t storage);
// True if pointers of a storage class are values in a module with variable pointers.
bool is_variable_storage(uint32_t storage);

// The name of a SPIR-V operation, capability or decoration.
std::string op_name(uint32_t op);
std::string capability_name(uint32_t capability);
std::string decoration_name(uint32_t decoration);
std::string builtin_name(uint32_t builtin);
std::string storage_name(uint32_t storage);
std::string glsl_name(uint32_t instruction);  // of GLSL.std.450

}  // namespace cutaway::compiler
