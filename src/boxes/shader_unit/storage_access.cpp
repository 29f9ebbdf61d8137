#include "boxes/shader_unit/storage_access.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "func/format/texel.h"
#include "func/texture/storage_access.h"
#include "isa/operands.h"

namespace cutaway::boxes {

using messages::StorageJob;

namespace {

constexpr uint16_t first_bytes(uint32_t count) { return static_cast<uint16_t>((1u << count) - 1); }

}  // namespace

void StorageAccess::plan(const isa::Instruction& instruction, bool has_destination,
                         const messages::StageState& state, const Words (&source)[3], uint32_t width,
                         uint64_t active, uint64_t storing) {
  instruction_ = instruction;
  lanes_ = width;
  storing_ = storing;
  missing = 0;
  queued = false;
  kind = isa::is_store(instruction.op)    ? StorageJob::Kind::kStore
         : isa::is_atomic(instruction.op) ? StorageJob::Kind::kAtomic
                                          : StorageJob::Kind::kLoad;
  cached = instruction.access.cached;
  returns = kind == StorageJob::Kind::kLoad || (kind == StorageJob::Kind::kAtomic && has_destination);
  std::fill_n(bytes_.begin(), width, uint16_t{0});
  for (uint32_t lane = 0; lane < width; lane++) data_[lane] = {};
  if (instruction.op == isa::Opcode::kLdb) {
    plan_buffer_load(state.resources[instruction.access.resource].surface, source, active);
  } else {
    for (uint64_t left = active; left; left &= left - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      plan_lane(state, source, lane, storing >> lane & 1);
    }
  }
  to_send_ = bytes_;
  next_ = 0;
  skip_sent();
}

void StorageAccess::plan_buffer_load(const arch::Surface& buffer, const Words (&source)[3], uint64_t active) {
  for (uint32_t quad = 0; quad < lanes_ / 4; quad++) {
    const auto mask = static_cast<uint32_t>(active >> 4 * quad & 15);
    load_[quad] = func::plan_buffer_load(buffer, &source[0][0][4 * quad], instruction_.dst.mask, mask);
    for (uint32_t i = 0; i < 4; i++) {
      address_[4 * quad + i] = load_[quad].address[i];
      bytes_[4 * quad + i] = first_bytes(4u * load_[quad].words[i]);
    }
  }
}

void StorageAccess::plan_lane(const messages::StageState& state, const Words (&source)[3], uint32_t lane,
                              bool stores) {
  if (isa::has_dim(instruction_.op)) return plan_image(state, source, lane, stores);
  const arch::Surface& buffer = state.resources[instruction_.access.resource].surface;
  const uint64_t byte = source[0][0][lane] & ~3u;
  arch::Address address = 0;
  if (kind == StorageJob::Kind::kAtomic) {
    const bool there = func::storage_word(buffer, byte, address);
    return plan_atomic(source, lane, stores, there, address);
  }
  for (uint32_t c = 0; c < 4; c++) {
    if (!stores || !(instruction_.dst.mask >> c & 1) || !func::storage_word(buffer, byte + 4 * c, address))
      continue;
    address_[lane] = address - 4 * c;
    const func::WordPart part = func::word_part(instruction_.access.size, source[0][0][lane]);
    bytes_[lane] |= static_cast<uint16_t>(first_bytes(part.bytes) << (4 * c + part.first));
    std::memcpy(&data_[lane][4 * c + part.first], &source[1][c][lane], part.bytes);
  }
}

void StorageAccess::plan_image(const messages::StageState& state, const Words (&source)[3], uint32_t lane,
                               bool stores) {
  const func::TextureView& view = state.resources[instruction_.access.resource];
  const uint32_t coordinate[4] = {source[0][0][lane], source[0][1][lane], source[0][2][lane],
                                  source[0][3][lane]};
  arch::Address address = 0;
  const bool there = func::storage_texel(view, instruction_.access.dim, coordinate, address);
  if (kind == StorageJob::Kind::kAtomic)
    return plan_atomic(source, lane, stores, there && view.texel_bytes == 4, address);
  if (!there || (kind == StorageJob::Kind::kStore && !stores)) return;
  address_[lane] = address;
  bytes_[lane] = first_bytes(view.texel_bytes);
  if (kind == StorageJob::Kind::kLoad) return;
  uint32_t value[4];
  for (uint32_t c = 0; c < 4; c++) value[c] = source[1][c][lane];
  func::encode_texel(*view.format, view.layout, value, data_[lane].data());
}

void StorageAccess::plan_atomic(const Words (&source)[3], uint32_t lane, bool stores, bool there,
                                arch::Address address) {
  a_[lane] = source[1][0][lane], b_[lane] = source[2][0][lane];
  // Helpers store nothing: only their loads may be asked for.
  if (!there || !func::is_word(address) || (!stores && !returns)) return;
  address_[lane] = address;
  bytes_[lane] = 15;
}

void StorageAccess::skip_sent() {
  while (next_ < lanes_ && !to_send_[next_]) next_++;
}

arch::Address StorageAccess::next_line(uint32_t line_bytes) const {
  const arch::Address first = address_[next_] + static_cast<uint32_t>(std::countr_zero(to_send_[next_]));
  return first / line_bytes * line_bytes;
}

// Bytes of a lane that lie in the line and have not been sent.
uint32_t StorageAccess::touched(uint32_t lane, arch::Address line, uint32_t line_bytes) const {
  const arch::Address begin = address_[lane], end = begin + kLaneBytes, line_end = line + line_bytes;
  if (!bytes_[lane] || end <= line || begin >= line_end) return 0;
  uint32_t in_line = 0xffff;
  if (begin < line) in_line &= 0xffffu << (line - begin);
  if (end > line_end) in_line &= 0xffffu >> (end - line_end);
  return bytes_[lane] & in_line;
}

void StorageAccess::make_job(uint32_t line_bytes, StorageJob& job) const {
  job.kind = kind;
  job.returns = returns;
  job.operation = instruction_.access.atomic;
  job.line = next_line(line_bytes);
  job.mask = {};
  job.atomics = 0;
  for (uint32_t lane = next_; lane < lanes_; lane++) {
    const uint32_t bytes = touched(lane, job.line, line_bytes) & to_send_[lane];
    if (!bytes) continue;
    const auto offset = static_cast<uint32_t>(address_[lane] - job.line);  // may begin before the line
    if (kind == StorageJob::Kind::kAtomic) {
      job.atomic[job.atomics++] = {lane, offset, a_[lane], b_[lane], (storing_ >> lane & 1) != 0, 0};
      continue;
    }
    for (uint32_t left = bytes; left; left &= left - 1) {
      const auto byte = static_cast<uint32_t>(std::countr_zero(left));
      const uint32_t at = offset + byte;
      job.mask[at / messages::kSectorBytes] |= messages::ByteMask{1} << at % messages::kSectorBytes;
      job.data[at] = data_[lane][byte];
    }
  }
}

void StorageAccess::mark_sent(uint32_t line_bytes, arch::Address line) {
  for (uint32_t lane = next_; lane < lanes_; lane++)
    to_send_[lane] &= static_cast<uint16_t>(~touched(lane, line, line_bytes));
  skip_sent();
}

void StorageAccess::answer(uint32_t line_bytes, const StorageJob& job) {
  if (kind == StorageJob::Kind::kAtomic) {
    for (uint32_t i = 0; i < job.atomics; i++)
      std::memcpy(data_[job.atomic[i].lane].data(), &job.atomic[i].old, 4);
    return;
  }
  for (uint32_t lane = 0; lane < lanes_; lane++)
    for (uint32_t left = touched(lane, job.line, line_bytes); left; left &= left - 1) {
      const auto byte = static_cast<uint32_t>(std::countr_zero(left));
      data_[lane][byte] = job.data[address_[lane] + byte - job.line];
    }
}

void StorageAccess::results(const messages::StageState& state, Words& result) const {
  const func::TextureView& view = state.resources[instruction_.access.resource];
  for (uint32_t lane = 0; lane < lanes_; lane++) {
    uint32_t value[4] = {};
    if (kind == StorageJob::Kind::kAtomic) {
      for (uint32_t& word : value) std::memcpy(&word, data_[lane].data(), 4);
    } else if (instruction_.op == isa::Opcode::kLdb) {
      func::QuadResult quad;
      func::finish_buffer_load(load_[lane / 4], lane % 4, data_[lane].data(), quad.value);
      for (uint32_t c = 0; c < 4; c++) value[c] = quad.value[c][lane % 4];
    } else if (view.valid) {
      // Outside: zeros, and what the format lacks ("robustImageAccess2"). What is no image has no format.
      func::decode_texel(*view.format, view.layout, data_[lane].data(), value);
    }
    for (uint32_t c = 0; c < 4; c++) result[c][lane] = value[c];
  }
}

}  // namespace cutaway::boxes
