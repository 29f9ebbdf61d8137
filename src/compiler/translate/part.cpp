#include "compiler/translate/part.h"

namespace cutaway::compiler {
namespace {

uint8_t slot_of(std::vector<isa::SlotBinding>& table, const isa::SlotBinding& binding, uint32_t limit,
                const char* what) {
  for (size_t i = 0; i < table.size(); ++i)
    if (table[i].set == binding.set && table[i].binding == binding.binding &&
        table[i].element == binding.element)
      return static_cast<uint8_t>(i);
  if (table.size() >= limit) unsupported("more than {} {}", limit, what);
  table.push_back(binding);
  return static_cast<uint8_t>(table.size() - 1);
}

}  // namespace

uint8_t Interface::resource(const isa::SlotBinding& binding) {
  return slot_of(resources, binding, arch::kResources, "textures and buffers");
}

uint8_t Interface::sampler(const isa::SlotBinding& binding) {
  return slot_of(samplers, binding, arch::kSamplers, "samplers");
}

void Translation::restore(State state) {
  builder = std::move(state.builder);
  interface = std::move(state.interface);
  values.restore(std::move(state.values));
  half_of_bits.clear();
}

const Ref& Part::component(const Lanes& lanes, size_t index) const {
  if (index >= lanes.size()) invalid("instruction {}: an operand lacks component {}", b.line, index);
  return lanes[index];
}

Ref Part::buffer_number(const Pointer& p) {
  const Lanes first = {component(get(p.address), 1)};
  if (!p.choice.id && p.element == 0) return first[0];
  if (!p.choice.id) return b.op2(Opcode::kIadd, first, {literal(p.element)})[0];
  const Lanes index = b.op2(Opcode::kUmin, index_of(p.choice.id), {literal(p.choice.count - 1)});
  return b.op2(Opcode::kIadd, first, index)[0];
}

Lanes Part::select(const Lanes& condition, const Lanes& yes, const Lanes& no) {
  const size_t each = condition.empty() ? 0 : yes.size() / condition.size();
  if (each * condition.size() != yes.size() || yes.size() != no.size())
    invalid("instruction {}: operands of different sizes", b.line);
  Lanes of_each;
  for (const Ref& ref : condition) of_each.insert(of_each.end(), each, ref);
  return b.op3(Opcode::kSel, of_each, yes, no);
}

}  // namespace cutaway::compiler
