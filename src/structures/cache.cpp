#include "structures/cache.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/few_bits.h"
#include "func/rop/depth_block.h"

namespace cutaway::structures {

// A request's tag: line × sectors + sector; of a write to a stack, that of its stack.

Cache::Cache(const CacheGeometry& geometry)
    : geometry_(geometry),
      sectors_(geometry.line_bytes / messages::kSectorBytes),
      sector_grains_(messages::kSectorBytes / geometry.grain),
      all_grains_(static_cast<uint32_t>((uint64_t{1} << sectors_ * sector_grains_) - 1)),
      line_(geometry.line_bytes),
      set_(geometry.lines / geometry.ways),
      addresses_(geometry.lines, kNowhere),
      lines_(geometry.lines),
      held_(geometry.lines / 64 + 2),
      empty_(geometry.lines),
      bytes_(size_t{geometry.lines} * geometry.line_bytes),
      replacement_(
          ReplacementPolicies::make(geometry.replacement, geometry.lines / geometry.ways, geometry.ways)),
      requests_(geometry.write_backs + geometry.line_bytes / messages::kSectorBytes),
      stack_writes_(geometry.stacks ? kStackHashes : 0) {
  CUTAWAY_CHECK(geometry.line_bytes % messages::kSectorBytes == 0 && sectors_ >= 1 &&
                sectors_ <= kMaxSectors);
  CUTAWAY_CHECK(geometry.ways >= 1 && geometry.ways <= kMostWays && geometry.lines % geometry.ways == 0 &&
                geometry.write_backs >= sectors_);
  CUTAWAY_CHECK(geometry.grain == messages::kSectorBytes ||
                (geometry.grain * 2 == messages::kSectorBytes && !geometry.stacks));
}

uint32_t Cache::line_of(arch::Address address) const {
  return line_in(set_of(address), line_.floor(address));
}

// The line of a set that begins at `start`; kNone: not resident.
inline uint32_t Cache::line_in(uint32_t set, arch::Address start) const {
  const uint32_t first = set * geometry_.ways;
  const arch::Address* const of_set = &addresses_[first];
  uint32_t way = 0;
  for (; way + 4 <= geometry_.ways; way += 4) {
    if (of_set[way] == start) return first + way;
    if (of_set[way + 1] == start) return first + way + 1;
    if (of_set[way + 2] == start) return first + way + 2;
    if (of_set[way + 3] == start) return first + way + 3;
  }
  for (; way < geometry_.ways; way++)
    if (of_set[way] == start) return first + way;
  return kNone;
}

uint32_t Cache::grains_of(uint32_t sector, messages::ByteMask bytes) const {
  if (sector_grains_ == 1) return bytes ? 1u << sector : 0;
  const messages::ByteMask first = messages::byte_mask(0, geometry_.grain);
  uint32_t grains = 0;
  for (uint32_t grain = 1u << sector * sector_grains_; bytes; bytes >>= geometry_.grain, grain <<= 1)
    if (bytes & first) grains |= grain;
  return grains;
}

// The bytes of a sector that these grains hold.
messages::ByteMask Cache::bytes_of(uint32_t grains, uint32_t sector) const {
  if (sector_grains_ == 1) return grains >> sector & 1 ? messages::kAllBytes : 0;
  messages::ByteMask bytes = 0;
  for (uint32_t i = 0; i < sector_grains_; i++)
    if (grains >> (sector * sector_grains_ + i) & 1)
      bytes |= messages::byte_mask(i * geometry_.grain, geometry_.grain);
  return bytes;
}

// Returns the grains that lack needed bytes and are not on their way.
inline uint32_t Cache::absent_grains(const Line& line, uint32_t grains, messages::ByteMask needed) const {
  if (sector_grains_ != 1) return absent_halves(line, grains, needed);
  uint32_t absent = 0;
  for (uint32_t rest = grains & all_grains_ & ~line.in_flight & ~line.whole; rest; rest &= rest - 1)
    if (needed & ~line.sector[std::countr_zero(rest)].valid) absent |= rest & -rest;
  return absent;
}

// The same, if a sector has several grains.
uint32_t Cache::absent_halves(const Line& line, uint32_t grains, messages::ByteMask needed) const {
  uint32_t rest = grains & all_grains_ & ~line.in_flight, absent = 0;
  while (rest) {
    const uint32_t sector = static_cast<uint32_t>(std::countr_zero(rest)) / sector_grains_;
    const uint32_t of_sector = ((1u << sector_grains_) - 1) << sector * sector_grains_;
    if (const messages::ByteMask absent_bytes = needed & ~line.sector[sector].valid)
      absent |= rest & grains_of(sector, absent_bytes);
    rest &= ~of_sector;
  }
  return absent;
}

// The request for the other half of a sector, if it still waits for the memory port.
messages::MemoryRequest* Cache::unsent(uint32_t index, uint32_t sector) {
  if (sector_grains_ == 1 || !bytes_of(lines_[index].in_flight, sector)) return nullptr;
  for (uint32_t i = 0; i < requests_.size(); i++)
    if (!requests_[i].write && requests_[i].tag == index * sectors_ + sector) return &requests_[i];
  return nullptr;
}

// So many it takes to ask for these grains.
uint32_t Cache::requests_for(uint32_t index, uint32_t grains) {
  if (sector_grains_ == 1) return one_bit(grains) ? 1 : static_cast<uint32_t>(std::popcount(grains));
  uint32_t requests = 0;
  for (uint32_t s = 0; s < sectors_; s++) requests += bytes_of(grains, s) && !unsent(index, s);
  return requests;
}

// The line that makes room: one that holds nothing, else the choice of the policy. kNone: all are pinned or
// wait for memory.
uint32_t Cache::victim(uint32_t set) const {
  const uint32_t first = set * geometry_.ways, shift = first % 64;
  const uint64_t* const held = &held_[first / 64];
  const uint64_t of_set = shift ? held[0] >> shift | held[1] << (64 - shift) : held[0];
  const uint64_t candidates = ~of_set & (~uint64_t{0} >> (64 - geometry_.ways));
  for (uint64_t left = empty_ ? candidates : 0; left; left &= left - 1)
    if (const auto way = static_cast<uint32_t>(std::countr_zero(left)); addresses_[first + way] == kNowhere)
      return first + way;
  return candidates ? first + replacement_->victim(set, candidates) : kNone;
}

messages::ByteMask Cache::readable(uint32_t line) const {
  messages::ByteMask readable = messages::kAllBytes;
  if (lines_[line].whole == (1u << sectors_) - 1) return readable;
  for (uint32_t s = 0; s < sectors_; s++) readable &= lines_[line].sector[s].valid;
  return readable;
}

// A write-back of the line writes its clean sectors too.
bool Cache::moves_whole(uint32_t line) const {
  return geometry_.whole_lines && lines_[line].packing.owned && readable(line) == messages::kAllBytes;
}

// The most that a write-back of the line may take: a compressed block is written whole.
uint32_t Cache::sectors_to_write(uint32_t index) const {
  const Line& line = lines_[index];
  if (!line.dirty) return 0;
  const bool whole = (line.packing.depth_bits && line.may_pack) || moves_whole(index);
  return whole ? sectors_ : static_cast<uint32_t>(std::popcount(line.dirty));
}

Cache::Outcome Cache::access(arch::Address address, uint32_t fetch, const messages::Origin& origin,
                             uint32_t& result, const Packing& packing, messages::ByteMask needed) {
  if (geometry_.whole_lines && fetch) fetch = all_grains_;
  const uint32_t set = set_of(address);
  const arch::Address start = line_.floor(address);
  result = line_in(set, start);
  if (result == kNone) return ask_memory(set, start, fetch, origin, result, packing, needed);
  const Line& line = lines_[result];
  // A sector that is on its way may arrive without bytes that its request does not name.
  if (line.in_flight & fetch && needed & ~line.needed) return Outcome::kStall;
  if (absent_grains(line, fetch, needed))
    return ask_memory(set, start, fetch, origin, result, packing, needed);
  use(set, result);
  return line.in_flight & fetch ? Outcome::kHitUnderWay : Outcome::kHit;
}

// Goes on with an access that has to ask memory, or to make its line. index: the line; kNone: it has none.
Cache::Outcome Cache::ask_memory(uint32_t set, arch::Address start, uint32_t fetch,
                                 const messages::Origin& origin, uint32_t& index, Packing packing,
                                 messages::ByteMask needed) {
  CUTAWAY_CHECK((!packing && needed == messages::kAllBytes) || sector_grains_ == 1);
  const bool tagged = packing.surface != untagged_;
  if (!tagged && packing.depth_bits) packing = {.owned = packing.owned};
  const bool made = index == kNone;
  const uint32_t room = requests_.capacity() - requests_.size();
  if (index == kNone) {
    if (fetch && waiting_ >= geometry_.misses) return Outcome::kStall;
    index = victim(set);
    if (index == kNone) return Outcome::kStall;
    const uint32_t fetched = packing ? sectors_ : requests_for(index, fetch);
    if (room < sectors_to_write(index) + fetched || stacks_wait(index) || stacks_wait(packing, start, ~0u))
      return Outcome::kStall;
    if (addresses_[index] != kNowhere) {
      evicted_ = {addresses_[index], index, readable(index)};
      replacement_->evicted(set, index - set * geometry_.ways);
    }
    write_back(index, origin);
    empty_ -= addresses_[index] == kNowhere;
    lines_[index].reset(sectors_);
    addresses_[index] = start;
    lines_[index].packing = packing;
    replacement_->filled(set, index - set * geometry_.ways);
  }
  Line& line = lines_[index];
  const uint32_t missing = absent_grains(line, fetch, needed);
  // A line allocated without a fetch also asks for its cleared sectors.
  const bool wanted = packing.depth_bits ? missing || made : packing && made && !fetch && tagged;
  uint32_t opportunistic =
      wanted ? absent_grains(line, ~fetch, needed) & ~line.opportunistic & ~line.declined : 0;
  // One sector tells whether the block may be compressed.
  if (packing.overwritten && !fetch) opportunistic &= ~(opportunistic - 1);
  if (!made && stacks_wait(packing, addresses_[index], missing)) return Outcome::kStall;
  if (requests_.capacity() - requests_.size() < requests_for(index, missing | opportunistic))
    return Outcome::kStall;
  const bool begins_to_wait = missing && !line.in_flight;
  if (begins_to_wait && waiting_ >= geometry_.misses) return Outcome::kStall;
  waiting_ += begins_to_wait;
  ask(index, missing, needed, messages::Opportunistic::kNo, origin);
  ask(index, opportunistic, needed,
      fetch ? messages::Opportunistic::kOfPacked : messages::Opportunistic::kOfCleared, origin);
  if (made) line.pins++, hold(index);
  else use(set, index);
  return Outcome::kMiss;
}

void Cache::ask(uint32_t index, uint32_t grains, messages::ByteMask needed,
                messages::Opportunistic opportunistic, const messages::Origin& origin) {
  Line& line = lines_[index];
  if (grains && opportunistic == messages::Opportunistic::kNo)
    line.needed = line.in_flight ? line.needed & needed : needed;
  for (uint32_t left = grains; left;) {
    const uint32_t s = static_cast<uint32_t>(std::countr_zero(left)) / sector_grains_;
    left &= ~(((1u << sector_grains_) - 1) << s * sector_grains_);
    const messages::ByteMask bytes = bytes_of(grains, s) & needed;
    if (!bytes) continue;
    if (messages::MemoryRequest* other = unsent(index, s)) {
      other->mask |= bytes;
      continue;
    }
    messages::MemoryRequest& request = requests_.push();  // made in place: it is large
    request.address = addresses_[index] + s * messages::kSectorBytes;
    request.tag = index * sectors_ + s;
    request.mask = bytes;
    request.opportunistic = opportunistic;
    request.packs = line.packing.depth_bits != 0;
    request.stack = line.packing.stack;
    request.origin = origin;
    awaited_++;
  }
  if (opportunistic != messages::Opportunistic::kNo) line.opportunistic |= static_cast<uint8_t>(grains);
  else line.in_flight |= grains;
  if (grains) hold(index);
}

bool Cache::ready_in_several(uint32_t line, uint32_t offset, uint32_t bytes) const {
  while (bytes) {
    const uint32_t inside = offset % messages::kSectorBytes,
                   part = std::min(bytes, messages::kSectorBytes - inside);
    const messages::ByteMask wanted = messages::byte_mask(inside, part);
    if ((lines_[line].sector[offset / messages::kSectorBytes].valid & wanted) != wanted) return false;
    offset += part, bytes -= part;
  }
  return true;
}

void Cache::write_any(uint32_t line, uint32_t offset, const void* from, uint32_t bytes) {
  std::memcpy(&bytes_[size_t{line} * geometry_.line_bytes + offset], from, bytes);
  const bool drop = drop_write_ && --drop_write_ == 0;
  while (bytes) {
    const uint32_t inside = offset % messages::kSectorBytes,
                   part = std::min(bytes, messages::kSectorBytes - inside);
    const messages::ByteMask mask = messages::byte_mask(inside, part);
    const uint32_t sector = offset / messages::kSectorBytes;
    if (drop) lines_[line].note_valid(sector, mask);
    else lines_[line].note_written(sector, mask);
    offset += part, bytes -= part;
  }
}

void Cache::write_back(uint32_t index, const messages::Origin& origin) {
  Line& line = lines_[index];
  if (!line.dirty || write_packed(index, origin)) return;
  if (moves_whole(index))
    for (uint32_t s = 0; s < sectors_; s++) line.note_written(s, messages::kAllBytes);
  for (uint32_t s = 0; s < sectors_; s++)
    if ((line.dirty >> s & 1) && !write_stack(index, s, origin))
      write_sector(index, s, data(index) + s * messages::kSectorBytes, line.take_dirty(s), 0, origin);
  line.packed = 0;
}

// False: the block is written as it is, so far as it is dirty.
bool Cache::write_packed(uint32_t index, const messages::Origin& origin) {
  Line& line = lines_[index];
  if (!line.packing.depth_bits || !line.may_pack || readable(index) != messages::kAllBytes) return false;
  std::byte packed[func::kDepthBlockBytes];
  const uint32_t sectors = func::pack_depth_block(data(index), line.packing.depth_bits, packed);
  (sectors == 1 ? packed_.one : sectors == 2 ? packed_.two : packed_.plain)++;
  // A block that is plain in memory too needs only its dirty sectors written.
  if (sectors == sectors_ && !line.packed) return false;
  if (sectors == sectors_) std::memcpy(packed, data(index), sizeof packed);
  for (uint32_t s = 0; s < sectors; s++)
    write_sector(index, s, packed + s * messages::kSectorBytes, messages::kAllBytes, sectors, origin);
  for (uint32_t s = 0; s < sectors_; s++) line.take_dirty(s);
  line.packed = static_cast<uint8_t>(sectors == sectors_ ? 0 : sectors);
  return true;
}

void Cache::write_sector(uint32_t index, uint32_t sector, const std::byte* from, messages::ByteMask mask,
                         uint32_t packed, const messages::Origin& origin) {
  messages::MemoryRequest& request = requests_.push();
  request.address = addresses_[index] + sector * messages::kSectorBytes;
  request.tag = stack_tag(index, sector, false);
  request.write = true;
  request.mask = mask;
  request.packed = static_cast<uint8_t>(packed);
  request.origin = origin;
  std::memcpy(request.data.data(), from, messages::kSectorBytes);
  if (packed && packed < sectors_ && drop_packed_ && --drop_packed_ == 0) request.data[2] ^= std::byte{1};
  awaited_++;
}

void Cache::reply(const messages::MemoryReply& reply) {
  CUTAWAY_CHECK(awaited_ > 0);
  awaited_--;
  if (reply.write) return stack_written(reply.tag);
  const auto index = static_cast<uint32_t>(quotient_of(reply.tag, sectors_));
  const uint32_t sector = reply.tag - index * sectors_;
  Line& line = lines_[index];
  line.may_pack = reply.may_pack;
  if (line.packing && !reply.may_pack) untagged_ = line.packing.surface;
  line.packed = reply.packed;
  // An opportunistic fetch of grains is older than any request for them: its reply comes first.
  const uint32_t grains = grains_of(sector, reply.mask);
  if (line.opportunistic & grains) {
    line.opportunistic &= static_cast<uint8_t>(~grains);
  } else {
    const bool whole_grains = sector_grains_ == 1 || bytes_of(grains, sector) == reply.mask;
    CUTAWAY_CHECK((grains & ~line.in_flight) == 0 && whole_grains);
    line.in_flight &= ~grains;
    waiting_ -= line.in_flight == 0;
  }
  if (!line.held()) let_go(index);
  if (reply.declined) {
    line.declined |= static_cast<uint8_t>(grains);
    return;
  }
  std::byte* to = &bytes_[size_t{index} * geometry_.line_bytes + sector * messages::kSectorBytes];
  const messages::ByteMask filled = reply.mask & ~line.sector[sector].valid;
  messages::copy_bytes(filled, reply.data.data(), to);
  line.note_valid(sector, reply.mask);
}

bool Cache::flush(const messages::Origin& origin) {
  while (flush_line_ < lines_.size()) {
    if (requests_.capacity() - requests_.size() < sectors_to_write(flush_line_) || stacks_wait(flush_line_))
      return false;
    write_back(flush_line_, origin);
    flush_line_++;
  }
  if (!idle()) return false;
  flush_line_ = 0;
  return true;
}

void Cache::invalidate() {
  untagged_ = kNowhere;
  for (size_t i = 0; i < lines_.size(); i++) {
    Line& line = lines_[i];
    CUTAWAY_CHECK(!line.held());
    if (line.dirty) {
      line.whole = 0;
      for (uint32_t s = 0; s < sectors_; s++) {
        line.sector[s].valid = 0;
        line.note_valid(s, line.sector[s].dirty);
      }
      line.declined = 0;
      line.may_pack = false;
    } else {
      line.reset(sectors_);
      empty_ += addresses_[i] != kNowhere;
      addresses_[i] = kNowhere;
    }
  }
}

}  // namespace cutaway::structures
