#include "compiler/translate/phis.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {

bool Phis::any(uint32_t label) const {
  return label != kReturn && blocks_.block(label).body[0].op == spv::OpPhi;
}

// The value that a phi takes from a block; 0: it names none.
uint32_t Phis::incoming(const Word& phi, uint32_t from) {
  constexpr size_t kFew = 16;
  if (phi.words.size() > kFew && indexed_.insert(phi.result).second)
    for (size_t i = 0; i + 1 < phi.words.size(); i += 2)
      incoming_.try_emplace(uint64_t{phi.result} << 32 | phi.words[i + 1], phi.words[i]);
  if (phi.words.size() > kFew) {
    const auto found = incoming_.find(uint64_t{phi.result} << 32 | from);
    return found == incoming_.end() ? 0 : found->second;
  }
  for (size_t i = 0; i + 1 < phi.words.size(); i += 2)
    if (phi.words[i + 1] == from) return phi.words[i];
  return 0;
}

// Writes the values that a block's phis take on one of its edges.
void Phis::edge(uint32_t from, uint32_t to, const Passed& passed) {
  if (to == kReturn) return;
  for (const Word& phi : blocks_.block(to).body) {
    if (phi.op != spv::OpPhi) break;
    work();
    const uint32_t id = incoming(phi, from);
    if (id == 0) continue;
    const auto carried = passed.find(id);
    const Lanes lanes = carried == passed.end() ? get(id) : carried->second;
    if (lanes.size() != m_.type(phi.type).components) invalid(phi, "has operands that do not fit its type");
    const auto [slot, added] = slots_.try_emplace(phi.result, 0);
    if (added) slot->second = b.new_slots(static_cast<uint32_t>(lanes.size()));
    for (size_t k = 0; k < lanes.size(); ++k) b.write(slot->second + static_cast<uint32_t>(k), lanes[k]);
  }
}

Phis::Passed Phis::passed_on(const BlockOrder::Way& way, uint32_t from) {
  Passed values;
  for (const uint32_t label : way.through) {
    Passed here;
    for (const Word& phi : blocks_.block(label).body) {
      if (phi.op != spv::OpPhi) break;
      work();
      const uint32_t id = incoming(phi, from);
      const auto passed = values.find(id);
      if (id != 0) here[phi.result] = passed == values.end() ? get(id) : passed->second;
    }
    values = std::move(here);
    from = label;
  }
  return values;
}

// Defines a block's phis from the values that its edges wrote.
void Phis::define_all(const Label& current) {
  for (const Word& phi : current.body) {
    if (phi.op != spv::OpPhi) break;
    const uint32_t components = m_.type(phi.type).components;
    const auto [slot, added] = slots_.try_emplace(phi.result, 0);
    if (added) slot->second = b.new_slots(components);
    Lanes lanes(components);
    for (uint32_t i = 0; i < components; ++i) lanes[i] = b.read(slot->second + i);
    define(phi.result, phi.type, lanes);
  }
}

}  // namespace cutaway::compiler
