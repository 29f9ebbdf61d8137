#include "compiler/translate/images.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "isa/operands.h"

namespace cutaway::compiler {
namespace {

template <class... Masks>
constexpr uint32_t bits_of(Masks... masks) {
  return (static_cast<uint32_t>(masks) | ...);
}

// Operands of loads that must see the stores of others. Stores are always visible to all.
constexpr uint32_t kCoherent =
    bits_of(spv::ImageOperandsMakeTexelVisibleMask, spv::ImageOperandsNonPrivateTexelMask,
            spv::ImageOperandsVolatileTexelMask);
// Operands that do not change the access.
constexpr uint32_t kHints =
    kCoherent | bits_of(spv::ImageOperandsMakeTexelAvailableMask, spv::ImageOperandsSignExtendMask,
                        spv::ImageOperandsZeroExtendMask, spv::ImageOperandsNontemporalMask);

isa::TextureDim texture_dim(const Type& image) {
  using enum isa::TextureDim;
  switch (image.dim) {
    case spv::Dim1D:
      return image.arrayed ? k1DArray : k1D;
    case spv::Dim2D:
      if (image.multisampled) return image.arrayed ? k2DMultisampleArray : k2DMultisample;
      return image.arrayed ? k2DArray : k2D;
    case spv::Dim3D:
      return k3D;
    case spv::DimCube:
      return image.arrayed ? kCubeArray : kCube;
    case spv::DimBuffer:
      return kBuffer;
    case spv::DimSubpassData:
      return image.multisampled ? k2DMultisample : k2D;
    default:
      break;
  }
  unsupported("OpTypeImage of dimension {} (arrayed {}, multisampled {}) is not supported", image.dim,
              image.arrayed, image.multisampled);
}

// Number of coordinates before the array layer.
uint32_t axes(isa::TextureDim dim) {
  using enum isa::TextureDim;
  switch (dim) {
    case k1D:
    case k1DArray:
    case kBuffer:
      return 1;
    case k3D:
    case kCube:
    case kCubeArray:
      return 3;
    default:
      return 2;
  }
}

void set(Operand& operand, const Lanes& lanes) {
  operand.width = static_cast<uint8_t>(std::max<size_t>(operand.width, lanes.size()));
  std::copy(lanes.begin(), lanes.end(), operand.ref.begin());
}

// True if an instruction compares with a depth reference.
bool compares(uint32_t op) {
  return op == spv::OpImageSampleDrefImplicitLod || op == spv::OpImageSampleDrefExplicitLod ||
         op == spv::OpImageSampleProjDrefImplicitLod || op == spv::OpImageSampleProjDrefExplicitLod ||
         op == spv::OpImageDrefGather;
}

}  // namespace

Handle Images::handle_of(const Pointer& p) const {
  const Decorations& d = m_.decoration(p.variable);
  Handle h;
  h.image = h.sampler = {d.set.value_or(0), d.binding.value_or(0), p.element};
  const Type& type = m_.type(p.type);
  h.type = type.kind == TypeKind::kSampledImage ? type.element : p.type;
  h.image_choice = h.sampler_choice = p.choice;
  h.coherent = p.coherent;
  return h;
}

bool Images::translate(const Word& word) {
  switch (word.op) {
    case spv::OpLoad: {
      const Value& from = value(arg(word, 0));
      if (!from.pointer) invalid(word, "needs a pointer");
      const Handle h = handle_of(*from.pointer);
      define(word.result, word.type, {}).handle = h;
      return true;
    }
    case spv::OpSampledImage: {
      const Value &texture = value(arg(word, 0)), &state = value(arg(word, 1));
      if (!texture.handle || !state.handle) invalid(word, "needs an image and a sampler");
      Handle h = *texture.handle;
      h.sampler = state.handle->sampler;
      h.sampler_choice = state.handle->sampler_choice;
      define(word.result, word.type, {}).handle = h;
      return true;
    }
    case spv::OpImage: {
      const std::optional<Handle> h = value(arg(word, 0)).handle;
      if (!h) invalid(word, "needs a sampled image");
      define(word.result, word.type, {}).handle = h;
      return true;
    }
    case spv::OpImageSampleImplicitLod:
    case spv::OpImageSampleExplicitLod:
    case spv::OpImageSampleDrefImplicitLod:
    case spv::OpImageSampleDrefExplicitLod:
    case spv::OpImageSampleProjImplicitLod:
    case spv::OpImageSampleProjExplicitLod:
    case spv::OpImageSampleProjDrefImplicitLod:
    case spv::OpImageSampleProjDrefExplicitLod:
    case spv::OpImageGather:
    case spv::OpImageDrefGather:
      sample(word);
      return true;
    case spv::OpImageFetch:
    case spv::OpImageRead:
      fetch(word);
      return true;
    case spv::OpImageWrite:
      write_image(word);
      return true;
    case spv::OpImageTexelPointer: {
      const Value& image = value(arg(word, 0));
      if (!image.pointer) invalid(word, "needs a pointer to an image");
      const Handle h = handle_of(*image.pointer);
      const Lanes coordinates = words(word, 1);
      define(word.result, word.type, coordinates).handle = h;
      return true;
    }
    case spv::OpImageQuerySizeLod:
    case spv::OpImageQuerySize:
    case spv::OpImageQueryLevels:
    case spv::OpImageQueryLod:
    case spv::OpImageQuerySamples:
      query(word);
      return true;
    default:
      return false;
  }
}

// Performs the access and returns four lanes. If an index chooses the image, all images are accessed and one
// result is selected, so that derivatives stay correct.
Lanes Images::access(const Handle& handle, Inst inst, bool sampled) {
  inst.width = 4;
  Lanes result;
  for_each_choice(handle, [&](const Handle& one, const Lanes& here) {
    inst.access.resource = interface.resource(one.image);
    if (sampled) inst.access.sampler = interface.sampler(one.sampler);
    const uint32_t id = b.append(inst);
    const Lanes texel = {b.ref(id, 0), b.ref(id, 1), b.ref(id, 2), b.ref(id, 3)};
    result = result.empty() ? texel : select(Builder::splat(here[0], 4), texel, result);
  });
  return result;
}

void Images::texture_result(const Word& word, const Handle& handle, Inst inst, bool sampled) {
  inst.sources = isa::info(inst.op).sources;
  if (inst.src[1].width) inst.sources = std::max<uint8_t>(inst.sources, 2);
  Lanes result = access(handle, inst, sampled);
  result.resize(std::min<size_t>(4, m_.type(word.type).components));
  define(word.result, word.type, result);
}

// Translates the image operands of a sampling instruction from word `next` on: level of detail and offsets go
// into the instruction. Returns the four offsets of a gather with ConstOffsets.
Lanes Images::sample_operands(const Word& word, size_t next, bool gather, Inst& inst) {
  const uint32_t operands = next < word.words.size() ? word.words[next++] : 0;
  constexpr uint32_t kKnown =
      bits_of(spv::ImageOperandsBiasMask, spv::ImageOperandsLodMask, spv::ImageOperandsGradMask,
              spv::ImageOperandsConstOffsetMask, spv::ImageOperandsOffsetMask, kHints);
  constexpr uint32_t kGather = kKnown | bits_of(spv::ImageOperandsConstOffsetsMask);
  if (operands & ~(gather ? kGather : kKnown))
    unsupported(word, "has image operands other than Bias, Lod, Grad, offsets and those of memory");
  const bool explicit_lod = operands & bits_of(spv::ImageOperandsLodMask, spv::ImageOperandsGradMask);
  if (operands & spv::ImageOperandsBiasMask) {
    inst.op = Opcode::kTxb;
    set(inst.src[1], words(word, next++));
  }
  if (operands & spv::ImageOperandsLodMask) {
    inst.op = Opcode::kTxl;
    set(inst.src[1], words(word, next++));
  }
  if (operands & spv::ImageOperandsGradMask) {
    inst.op = Opcode::kTxd;
    set(inst.src[1], words(word, next));
    set(inst.src[2], words(word, next + 1));
    next += 2;
  }
  // Vertex programs have no derivatives: they sample the base level.
  if (request_.stage != arch::Stage::kFragment && !explicit_lod && !gather) {
    inst.op = Opcode::kTxl;
    inst.src[1] = {};
    set(inst.src[1], {literal(0)});
  }
  if (operands & spv::ImageOperandsConstOffsetMask) set_offset(word, words(word, next++), inst);
  // A gather's offsets: in a register, or four constants with a separate gather each.
  if (operands & spv::ImageOperandsOffsetMask) {
    if (gather) set(inst.src[1], words(word, next++));
    else set_offset(word, words(word, next++), inst);
  }
  if (operands & spv::ImageOperandsConstOffsetsMask) return words(word, next++);
  return {};
}

void Images::sample(const Word& word) {
  const std::optional<Handle> handle = value(arg(word, 0)).handle;
  if (!handle) invalid(word, "needs a sampled image");
  const isa::TextureDim dim = texture_dim(m_.type(handle->type));
  const bool gather = word.op == spv::OpImageGather || word.op == spv::OpImageDrefGather;
  const bool shadow = compares(word.op);
  bool projective =
      word.op >= spv::OpImageSampleProjImplicitLod && word.op <= spv::OpImageSampleProjDrefExplicitLod;
  Lanes coordinates = words(word, 1);
  const uint32_t n = axes(dim), used = n + m_.type(handle->type).arrayed;
  if (coordinates.size() < used + projective) invalid(word, "has too few coordinates");
  size_t next = 2;
  Lanes reference = shadow ? words(word, next++) : Lanes{};
  Inst inst{.op = gather ? Opcode::kTxg : Opcode::kTex};
  if (word.op == spv::OpImageGather) {
    const std::optional<uint32_t> component = literal_of(arg(word, next++));
    if (!component || *component > 3) invalid(word, "needs a constant component");
    inst.access.gather = static_cast<uint8_t>(*component);
  }
  const Lanes offsets = sample_operands(word, next, gather, inst);
  // TXP performs the division, but supports neither a level of detail nor a reference with three coordinates.
  if (projective && (inst.op != Opcode::kTex || (shadow && n > 2))) {
    const Lanes q = b.scalar(Opcode::kRcp, {coordinates[used]});
    coordinates = mul(Lanes(coordinates.begin(), coordinates.begin() + used), Builder::splat(q[0], used));
    if (shadow) reference = mul(reference, q);
    projective = false;
  }
  Operand& src = inst.src[0];
  src.width = 4;
  std::copy(coordinates.begin(), coordinates.begin() + used, src.ref.begin());
  if (projective) {
    inst.op = Opcode::kTxp;
    src.ref[3] = coordinates[used];
    if (shadow) src.ref[2] = reference[0];
  } else if (shadow && dim == isa::TextureDim::kCubeArray) {
    const uint32_t at = inst.op == Opcode::kTxd ? 3 : 1;
    inst.src[1].ref[at] = reference[0];
    inst.src[1].width = static_cast<uint8_t>(at + 1);
  } else if (shadow) {
    src.ref[3] = reference[0];
  }
  inst.access.dim = dim;
  inst.access.shadow = shadow;
  if (offsets.empty()) texture_result(word, *handle, inst, true);
  else gather_each(word, *handle, inst, offsets);
}

void Images::set_offset(const Word& word, const Lanes& offset, Inst& inst) const {
  for (size_t i = 0; i < std::min<size_t>(3, offset.size()); ++i) {
    const auto texels = static_cast<int32_t>(offset[i].index);
    if (!offset[i].is_literal() || texels < -8 || texels > 7)
      unsupported(word, "has an offset beyond -8 to 7");
    inst.access.offset[i] = static_cast<int8_t>(texels);
  }
}

// "ConstOffsets": component i of the result is texel i0 j0 of the gather with offset i, the last of the four.
void Images::gather_each(const Word& word, const Handle& handle, Inst inst, const Lanes& offsets) {
  if (offsets.size() != 8) invalid(word, "needs four offsets of two components");
  inst.sources = std::max<uint8_t>(1, inst.src[1].width ? 2 : 1);
  Lanes result;
  for (size_t i = 0; i < 4; ++i) {
    set_offset(word, {offsets[2 * i], offsets[2 * i + 1]}, inst);
    result.push_back(access(handle, inst, true)[3]);
  }
  define(word.result, word.type, result);
}

void Images::fetch(const Word& word) {
  const std::optional<Handle> handle = value(arg(word, 0)).handle;
  if (!handle) invalid(word, "needs an image");
  const Type& type = m_.type(handle->type);
  const bool subpass = type.dim == spv::DimSubpassData;
  if (word.op == spv::OpImageRead && !subpass) {
    if (word.words.size() > 2 && (word.words[2] & ~kHints)) unsupported(word, "has image operands");
    // Images that no program writes are read as textures.
    Inst inst = image_access(word, t_.writes_memory ? Opcode::kLdi : Opcode::kTxf, *handle, words(word, 1));
    inst.ordered = t_.writes_memory;
    const bool coherent = handle->coherent || (word.words.size() > 2 && (word.words[2] & kCoherent));
    inst.access.cached = t_.writes_memory && !coherent;
    if (!t_.writes_memory) inst.src[1] = {.ref = {literal(0), literal(0)}, .width = 2};
    texture_result(word, *handle, inst, false);
    return;
  }
  const isa::TextureDim dim = texture_dim(type);
  Lanes coordinates = words(word, 1);
  Lanes level = {literal(0)}, sample_index = {literal(0)};
  size_t next = 2;
  const uint32_t operands = next < word.words.size() ? word.words[next++] : 0;
  constexpr uint32_t kOffsets = bits_of(spv::ImageOperandsConstOffsetMask, spv::ImageOperandsOffsetMask);
  constexpr uint32_t kKnown =
      bits_of(spv::ImageOperandsLodMask, spv::ImageOperandsSampleMask, kOffsets, kHints);
  if (operands & ~kKnown)
    unsupported(word, "has image operands other than Lod, Sample, an offset and those of memory");
  if (operands & spv::ImageOperandsLodMask) level = words(word, next++);
  if (operands & kOffsets) {  // offsets do not apply to the layer
    Lanes offset = words(word, next++);
    offset.resize(coordinates.size(), literal(0));
    coordinates = b.op2(Opcode::kIadd, coordinates, offset);
  }
  if (operands & spv::ImageOperandsSampleMask) sample_index = words(word, next++);
  if (subpass) {  // relative to the pixel
    Lanes pixel;
    for (uint8_t i = 0; i < 2; ++i)
      pixel.push_back({.kind = RefKind::kInput, .lane = i, .index = arch::kInputFragCoord});
    coordinates = b.op2(Opcode::kIadd, b.op1(Opcode::kF2i, pixel), coordinates);
  }
  Inst inst{.op = Opcode::kTxf};
  inst.src[0].width = 4;
  std::copy(coordinates.begin(), coordinates.begin() + std::min<size_t>(4, coordinates.size()),
            inst.src[0].ref.begin());
  inst.src[1].width = 2;
  inst.src[1].ref[0] = component(level, 0);
  inst.src[1].ref[1] = component(sample_index, 0);
  inst.access.dim = dim;
  texture_result(word, *handle, inst, false);
}

// An access to a storage image: the faces of cubes are layers.
Inst Images::image_access(const Word& word, Opcode op, const Handle& handle, const Lanes& coordinates) {
  Inst inst{.op = op};
  inst.access.dim = texture_dim(m_.type(handle.type));
  if (isa::is_cube(inst.access.dim)) inst.access.dim = isa::TextureDim::k2DArray;
  if (m_.type(handle.type).multisampled) unsupported(word, "of several samples");
  inst.src[0].width = 4;
  std::copy(coordinates.begin(), coordinates.begin() + std::min<size_t>(4, coordinates.size()),
            inst.src[0].ref.begin());
  return inst;
}

void Images::write_image(const Word& word) {
  const std::optional<Handle> handle = value(arg(word, 0)).handle;
  if (!handle) invalid(word, "needs an image");
  if (word.words.size() > 3 && (word.words[3] & ~kHints)) unsupported(word, "has image operands");
  Inst inst = image_access(word, Opcode::kSti, *handle, words(word, 1));
  const Lanes texel = words(word, 2);
  inst.sources = 2;
  inst.src[1].width = 4;
  inst.src[1].ref.fill(literal(0));
  std::copy(texel.begin(), texel.begin() + std::min<size_t>(4, texel.size()), inst.src[1].ref.begin());
  for_each_choice(*handle, [&](const Handle& one, const Lanes& here) {
    inst.access.resource = interface.resource(one.image);
    if (!here.empty()) b.begin_if(here[0]);
    b.append(inst);
    if (!here.empty()) b.end_if();
  });
}

void Images::query(const Word& word) {
  const std::optional<Handle> handle = value(arg(word, 0)).handle;
  if (!handle) invalid(word, "needs an image");
  Inst inst;
  inst.access.dim = texture_dim(m_.type(handle->type));
  inst.sources = 1;
  uint32_t first = 0;
  if (word.op == spv::OpImageQueryLod) {
    inst.op = Opcode::kTxqlod;
    inst.src[0].width = 4;
    const Lanes coordinates = words(word, 1);
    std::copy(coordinates.begin(), coordinates.begin() + std::min<size_t>(4, coordinates.size()),
              inst.src[0].ref.begin());
  } else if (word.op == spv::OpImageQuerySamples) {
    inst.op = Opcode::kTxqs;
    inst.sources = 0;
  } else {
    inst.op = Opcode::kTxq;
    inst.src[0].width = 1;
    inst.src[0].ref[0] = word.op == spv::OpImageQuerySizeLod ? component(words(word, 1), 0) : literal(0);
    if (word.op == spv::OpImageQueryLevels) first = 3;
  }
  const Lanes all = access(*handle, inst, inst.op == Opcode::kTxqlod);
  Lanes result;
  const Type& type = m_.type(word.type);
  const uint32_t components = type.count ? type.count : 1;
  for (uint32_t i = 0; i < components; ++i) result.push_back(all[std::min(first + i, 3u)]);
  // The layer is always the third component.
  if (word.op == spv::OpImageQuerySizeLod || word.op == spv::OpImageQuerySize)
    if (m_.type(handle->type).arrayed && components >= 2) result.back() = all[2];
  const bool integers = word.op != spv::OpImageQueryLod;
  define(word.result, word.type, integers ? unsigned_result(word.type, result) : result);
}

}  // namespace cutaway::compiler
