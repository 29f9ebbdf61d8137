#include <spirv/unified1/AMD_shader_trinary_minmax.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "compiler/translate/glsl.h"

// The least, the greatest and the middle one of three numbers (SPV_AMD_shader_trinary_minmax).
namespace cutaway::compiler {
namespace {

struct Pair {
  uint32_t least, most;  // instructions of GLSL.std.450
};
constexpr Pair kOfKind[] = {
    {GLSLstd450FMin, GLSLstd450FMax}, {GLSLstd450UMin, GLSLstd450UMax}, {GLSLstd450SMin, GLSLstd450SMax}};
static_assert(AMD_shader_trinary_minmaxFMin3AMD == 1 && AMD_shader_trinary_minmaxSMin3AMD == 3 &&
              AMD_shader_trinary_minmaxFMax3AMD == 4 && AMD_shader_trinary_minmaxFMid3AMD == 7 &&
              AMD_shader_trinary_minmaxSMid3AMD == 9);

}  // namespace

Lanes Glsl::trinary(const Word& word) {
  const uint32_t instruction = arg(word, 1);
  if (instruction < AMD_shader_trinary_minmaxFMin3AMD || instruction > AMD_shader_trinary_minmaxSMid3AMD)
    unsupported("instruction {} of SPV_AMD_shader_trinary_minmax is not supported", instruction);
  const Pair of = kOfKind[(instruction - AMD_shader_trinary_minmaxFMin3AMD) % 3];
  const Lanes x = get(arg(word, 2)), y = get(arg(word, 3)), z = get(arg(word, 4));
  for (const Lanes* operand : {&x, &y, &z})  // the validator does not look at them
    if (operand->size() != m_.type(word.type).components) invalid(word, "has operands of different sizes");
  // Numbers of less than a word are compared with their sign.
  const auto combine = [&](uint32_t op, Lanes m, Lanes n) {
    const Type& scalar = m_.scalar(word.type);
    if (is_small(scalar) && reads_signed(op)) {
      m = sign_extended(scalar, m);
      n = sign_extended(scalar, n);
    }
    return computed(word, op, {m, n});
  };
  if (instruction <= AMD_shader_trinary_minmaxSMin3AMD) return combine(of.least, combine(of.least, x, y), z);
  if (instruction <= AMD_shader_trinary_minmaxSMax3AMD) return combine(of.most, combine(of.most, x, y), z);
  return combine(of.most, combine(of.least, x, y), combine(of.least, combine(of.most, x, y), z));
}

}  // namespace cutaway::compiler
