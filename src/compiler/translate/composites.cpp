#include "compiler/translate/composites.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {

// First component and type of a member of a composite, given literal indices.
std::pair<uint32_t, uint32_t> Composites::member(uint32_t type_id, const std::span<const uint32_t>& path) {
  uint32_t start = 0;
  for (uint32_t index : path) {
    const Type& type = m_.type(type_id);
    if (type.kind == TypeKind::kStruct) {
      if (index >= type.members.size()) invalid("a composite has no member {}", index);
      start += type.starts[index];
      type_id = type.members[index];
    } else {
      if (type.element == 0 || index >= type.count) invalid("a composite has no element {}", index);
      start += index * m_.type(type.element).components;
      type_id = type.element;
    }
  }
  return {start, type_id};
}

Lanes Composites::rearrange(const Word& word) {
  switch (word.op) {
    case spv::OpCompositeConstruct: {
      Lanes all;
      for (uint32_t part : word.words) {
        const Lanes lanes = get(part);
        all.insert(all.end(), lanes.begin(), lanes.end());
      }
      return all;
    }
    case spv::OpCompositeExtract: {
      const Lanes from = get(arg(word, 0));
      const auto [start, part] = member(values_.type_of(word.words[0]), word.words.subspan(1));
      const uint32_t count = m_.type(part).components;
      if (start + count > from.size()) invalid(word, "reads beyond its composite");
      return Lanes(from.begin() + start, from.begin() + start + count);
    }
    case spv::OpCompositeInsert: {
      const Lanes object = get(arg(word, 0));
      Lanes into = get(arg(word, 1));
      const auto [start, part] = member(word.type, word.words.subspan(2));
      if (start + object.size() > into.size()) invalid(word, "writes beyond its composite");
      std::copy(object.begin(), object.end(), into.begin() + start);
      return into;
    }
    default: {  // OpVectorShuffle
      const Lanes first = get(arg(word, 0)), second = get(arg(word, 1));
      Lanes both = first, result;
      both.insert(both.end(), second.begin(), second.end());
      const size_t each = m_.scalar(word.type).components == 2 ? 2 : 1;  // words of an element
      for (uint32_t index : word.words.subspan(2))
        for (size_t i = 0; i < each; ++i) {
          const size_t at = size_t{index} * each + i;
          result.push_back(at < both.size() ? both[at] : Ref{});
        }
      return result;
    }
  }
}

Lanes Composites::vector_dynamic(const Word& word) {
  const bool insert = word.op == spv::OpVectorInsertDynamic;
  Lanes vector = get(arg(word, 0));
  const Lanes index = index_of(arg(word, insert ? 2 : 1));
  const Lanes object = insert ? get(arg(word, 1)) : Lanes{};
  const size_t each = std::max(1u, m_.scalar(word.type).components);  // words of an element
  if ((insert && object.size() != each) || vector.size() % each) invalid(word, "has operands of wrong sizes");
  const auto element = [&](size_t i) {
    return Lanes(vector.begin() + i * each, vector.begin() + (i + 1) * each);
  };
  Lanes extracted = insert ? Lanes{} : element(0);
  for (size_t i = insert ? 0 : 1; i < vector.size() / each; ++i) {
    const Lanes here = b.op2(Opcode::kIeq, index, {literal(static_cast<uint32_t>(i))});
    if (insert) std::ranges::copy(select(here, object, element(i)), vector.begin() + i * each);
    else extracted = select(here, element(i), extracted);
  }
  return insert ? vector : extracted;
}

}  // namespace cutaway::compiler
