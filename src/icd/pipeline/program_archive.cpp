#include "icd/pipeline/program_archive.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "icd/device/limits.h"
#include "isa/instruction.h"

namespace cutaway::icd {
namespace {

constexpr uint32_t kMaxElements = 1 << 24;  // of any array; far more than any program has

class Writer {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void value(T& from) {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>);
    const auto* data = reinterpret_cast<const std::byte*>(&from);
    bytes.insert(bytes.end(), data, data + sizeof from);
  }
  void count(size_t n) {
    auto n32 = static_cast<uint32_t>(n);
    value(n32);
  }

  std::vector<std::byte> bytes;
};

class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  void value(T& to) {
    if (rest_.size() < sizeof to) {
      good_ = false, rest_ = {};
      return;
    }
    if constexpr (std::is_same_v<T, bool>) {
      to = rest_[0] != std::byte{0};
    } else {
      std::memcpy(&to, rest_.data(), sizeof to);
    }
    rest_ = rest_.subspan(sizeof to);
  }
  // Every element takes at least one byte, so a count cannot request more memory than the input justifies.
  uint32_t count() {
    uint32_t n = 0;
    value(n);
    if (n > rest_.size() || n > kMaxElements) good_ = false, n = 0;
    return n;
  }
  bool good() const { return good_; }
  bool at_end() const { return good_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool good_ = true;
};

// The members of each structure, listed once for both directions. A new member causes a compile error here
// until it is listed.
template <class Archive>
void members(Archive& archive, isa::ConstantRange& range) {
  auto& [kind, set, binding, element, offset, first, count] = range;
  archive.value(kind), archive.value(set), archive.value(binding), archive.value(element);
  archive.value(offset), archive.value(first), archive.value(count);
}

template <class Archive>
void members(Archive& archive, isa::SlotBinding& slot) {
  auto& [set, binding, element] = slot;
  archive.value(set), archive.value(binding), archive.value(element);
}

template <class Archive>
void members(Archive& archive, isa::Varying& varying) {
  auto& [location, reg, mask, mode, at] = varying;
  archive.value(location), archive.value(reg), archive.value(mask), archive.value(mode), archive.value(at);
}

template <class Archive, class T>
void members(Archive& archive, T& plain) {
  archive.value(plain);
}

template <class Archive, class T>
void list(Archive& archive, std::vector<T>& elements) {
  if constexpr (Archive::kReads) elements.resize(archive.count());
  else archive.count(elements.size());
  for (T& element : elements) members(archive, element);
}

template <class Archive>
void members(Archive& archive, isa::Program& program, std::vector<isa::EncodedInstruction>& words) {
  auto& [stage, code, temporaries, scratch_bytes, local_size, shared_bytes, flags, literals, constants,
         resources, samplers, inputs, outputs, point_size, layer, viewport_index, primitive_id, clip_distance,
         clip_distances, cull_distances, feedback, feedback_stride, second_source, modes, patch, source_of] =
      program;
  static_cast<void>(code);  // read and written as words
  archive.value(stage), list(archive, words), archive.value(temporaries), archive.value(flags);
  archive.value(scratch_bytes), archive.value(local_size), archive.value(shared_bytes);
  list(archive, literals), list(archive, constants), list(archive, resources), list(archive, samplers);
  list(archive, inputs), list(archive, outputs);
  archive.value(point_size), archive.value(layer), archive.value(viewport_index);
  archive.value(primitive_id), archive.value(modes), archive.value(patch);
  archive.value(clip_distance), archive.value(clip_distances), archive.value(cull_distances);
  list(archive, feedback), archive.value(feedback_stride);
  archive.value(second_source), list(archive, source_of);
}

bool constants_fit(const isa::Program& program) {
  return std::all_of(program.constants.begin(), program.constants.end(),
                     [&](const isa::ConstantRange& range) {
                       using Kind = isa::ConstantRange::Kind;
                       if (range.kind > Kind::kView || range.offset % kVec4Bytes ||
                           range.count > arch::kConstants || range.first > arch::kConstants - range.count)
                         return false;
                       const uint64_t end = range.offset / kVec4Bytes + uint64_t{range.count};
                       return range.kind != Kind::kLiteral || end <= program.literals.size();
                     });
}

bool varyings_fit(const std::vector<isa::Varying>& varyings, uint32_t registers) {
  return std::all_of(varyings.begin(), varyings.end(), [&](const isa::Varying& v) {
    return v.reg < registers && v.mode <= arch::Interpolation::kLinear &&
           v.at <= arch::SampleLocation::kSample;
  });
}

bool feedback_fits(const isa::Program& program) {
  return program.feedback.size() <= arch::kFeedbackOutputs &&
         std::all_of(program.feedback.begin(), program.feedback.end(),
                     [](const arch::FeedbackOutput& output) {
                       return output.source() < arch::kShaderOutputs && output.offset() % 4 == 0;
                     });
}

bool fits(const isa::Program& program) {
  for (uint32_t output : {program.point_size, program.layer, program.viewport_index, program.primitive_id,
                          program.clip_distance})
    if (output != arch::kNoOutput && output >= arch::kShaderOutputs) return false;
  uint64_t invocations = 1;
  for (uint32_t size : program.local_size)
    invocations = std::min(invocations * size, uint64_t{arch::kWorkgroupInvocations} + 1);
  if (invocations == 0 || invocations > arch::kWorkgroupInvocations) return false;
  if (program.scratch_bytes > arch::kScratchBytes || program.shared_bytes > arch::kWorkgroupBytes)
    return false;
  return static_cast<uint32_t>(program.stage) < arch::kStages && feedback_fits(program) &&
         program.clip_distances <= kMaxClipDistances && program.cull_distances <= kMaxClipDistances &&
         program.resources.size() <= arch::kResources && program.samplers.size() <= arch::kSamplers &&
         constants_fit(program) &&
         varyings_fit(program.inputs, std::max(arch::kShaderInputs, arch::kVertexInputs)) &&
         varyings_fit(program.outputs, arch::kShaderOutputs);
}

}  // namespace

std::vector<std::byte> archive_program(const isa::Program& program) {
  std::vector<isa::EncodedInstruction> words;
  for (const isa::Instruction& instruction : program.code) words.push_back(isa::encode(instruction));
  Writer writer;
  isa::Program copy = program;
  members(writer, copy, words);
  return std::move(writer.bytes);
}

std::optional<isa::Program> restore_program(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  isa::Program program;
  std::vector<isa::EncodedInstruction> words;
  members(reader, program, words);
  std::string error;
  if (!reader.at_end() || program.temporaries > arch::kTemporaries || !fits(program) ||
      !isa::decode_program(words, program.temporaries, program.code, error))
    return std::nullopt;
  return program;
}

}  // namespace cutaway::icd
