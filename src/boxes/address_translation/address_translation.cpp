#include "boxes/address_translation/address_translation.h"

#include <algorithm>
#include <iterator>

namespace cutaway::boxes {

using engine::Cycle;
using messages::MemoryReply;
using messages::MemoryRequest;

AddressTranslation::AddressTranslation(std::string path, const AddressTranslationSpec& spec,
                                       std::vector<ClientGroup> groups, arch::Address table)
    : Box(std::move(path)),
      requests_in(groups.size()),
      requests_out(groups.size()),
      context(groups.size()),
      spec_(spec),
      format_(spec.pages),
      second_(spec.l2_entries, spec.l2_ways, spec.l2_replacement),
      walker_(format_, table, spec.walks) {
  CUTAWAY_CHECK(spec.present());
  for (size_t group = 0; group < std::size(kClientGroupNames); group++)
    groups_.push_back({Tlb(spec.entries, spec.ways, spec.replacement), {}});
  for (const ClientGroup group : groups) clients_.push_back({.group = group});
  misses_.reserve(groups.size());
}

bool AddressTranslation::has(ClientGroup group) const {
  return std::any_of(clients_.begin(), clients_.end(),
                     [&](const Client& client) { return client.group == group; });
}

void AddressTranslation::list_ports(engine::PortList& list) {
  list("requests_in", requests_in,
       "from each client: reads and writes of a sector, by the program's address");
  list("requests_out", requests_out, "the same by the address in memory");
  list("memory_out", memory_out, "reads of the page table");
  list("memory_in", memory_in, "the sector with its entry");
  if (!context.on()) return;
  list("bind_in", context.in, "the context that clients are bound to");
  list("bound_out", context.out, "the same, when they are");
}

std::vector<std::string_view> AddressTranslation::costs_nothing() const {
  return {
      "Ports of a TLB: each client of a group looks up a page in each cycle",
      "Pages of other sectors that a request moves: those of a stack of samples, and what fast clears tag",
      "Writes of the page table by the host, and emptying the TLBs when it unmaps or binds a page"};
}

void AddressTranslation::forget_all() {
  for (Group& group : groups_) group.tlb.forget_all();
  second_.forget_all();
  wake();
}

Cycle AddressTranslation::tick(Cycle now) {
  bool progress = context.take(now, requests_in);
  progress |= take_entry(now);
  progress |= look_up_second(now);
  progress |= begin_walks(now);
  progress |= walker_.send(now, memory_out);
  requests_in.for_filled([&](unsigned client) { progress |= serve(now, client); });
  if (progress) return busy(now);
  // A walk is the box's own work, also while memory reads an entry for it.
  if (!misses_.empty()) return busy(now, next_answer(now));
  for (size_t i = 0; i < clients_.size(); i++)
    if (clients_[i].state == Client::State::kReady) return blocked(now, requests_out[i]);
  return idle(now);
}

// Takes an entry of the page table, which ends a walk or names the next entry to read.
bool AddressTranslation::take_entry(Cycle now) {
  const MemoryReply* reply = memory_in.peek(now);
  if (!reply) return false;
  if (const auto walk = walker_.take(now, *reply)) {
    count_for(walk->work, counters.walks, 1);
    count_for(walk->work, counters.walk_cycles, walk->took);
    if (walk->frame) {
      second_.fill(walk->page, *walk->frame);
      end_miss(now, walk->page, *walk->frame);
    } else {
      note_fault(walk->page);
    }
  }
  memory_in.drop(now);
  return true;
}

// Ends look-ups of the second level, in order.
bool AddressTranslation::look_up_second(Cycle now) {
  bool progress = false;
  for (size_t i = 0; i < misses_.size() && misses_[i].answer <= now;) {
    Miss& miss = misses_[i];
    if (miss.state != Miss::State::kLooksUp) {
      i++;
      continue;
    }
    progress = true;
    if (const auto frame = second_.find(miss.page)) {
      count_for(miss.origin.work, counters.l2_hits, 1);
      end_miss(now, miss.page, *frame);
    } else {
      count_for(miss.origin.work, counters.l2_misses, 1);
      miss.state = Miss::State::kLacks;
    }
  }
  return progress;
}

// Begins walks for pages that the second level lacks, in order of their look-ups.
bool AddressTranslation::begin_walks(Cycle now) {
  bool progress = false;
  for (Miss& miss : misses_) {
    if (walker_.full()) break;
    if (miss.state != Miss::State::kLacks) continue;
    walker_.begin(now, miss.page, miss.origin);
    miss.state = Miss::State::kWalks;
    progress = true;
  }
  return progress;
}

// Looks up the oldest request of a client, or passes it on.
bool AddressTranslation::serve(Cycle now, unsigned index) {
  const MemoryRequest* request = requests_in[index].peek(now);
  if (!request) return false;
  Client& client = clients_[index];
  const bool is_new = client.state == Client::State::kNew;
  if (is_new) look_up(now, index, *request);
  if (client.state != Client::State::kReady || !requests_out[index].ready(now)) return is_new;
  works_for(request->origin.work);
  MemoryRequest translated = *request;
  translated.address = client.address;
  requests_out[index].send(now, translated);
  client.state = Client::State::kNew;
  requests_in[index].drop(now);
  return true;
}

void AddressTranslation::look_up(Cycle now, unsigned index, const MemoryRequest& request) {
  Client& client = clients_[index];
  client.address = context.place(index, request.address);
  client.state = Client::State::kReady;
  if (client.address >> arch::kAddressBits) return;
  Group& group = of(client.group);
  const uint64_t page = format_.page_of(client.address);
  if (const auto frame = group.tlb.find(page)) {
    count_for(request.origin.work, group.counters.hits, 1);
    client.address = format_.with_frame(*frame, client.address);
    return;
  }
  count_for(request.origin.work, group.counters.misses, 1);
  client.state = Client::State::kWaits;
  client.since = now;
  miss(now, page, request.origin);
}

void AddressTranslation::miss(Cycle now, uint64_t page, const messages::Origin& origin) {
  if (std::any_of(misses_.begin(), misses_.end(), [&](const Miss& other) { return other.page == page; })) {
    count_for(origin.work, counters.merged, 1);
    return;
  }
  const Cycle begin = std::max(now, second_free_);
  second_free_ = begin + 1;
  misses_.push_back({.page = page, .answer = begin + spec_.l2_latency, .origin = origin});
}

// Gives a page's frame to the clients that wait for it, and to the TLBs of their groups.
void AddressTranslation::end_miss(Cycle now, uint64_t page, uint64_t frame) {
  std::erase_if(misses_, [&](const Miss& miss) { return miss.page == page; });
  for (size_t i = 0; i < clients_.size(); i++) {
    Client& client = clients_[i];
    if (client.state != Client::State::kWaits || format_.page_of(client.address) != page) continue;
    Group& group = of(client.group);
    count_for(requests_in[i].peek(now)->origin.work, group.counters.wait_cycles, now - client.since);
    group.tlb.fill(page, frame);
    client.address = format_.with_frame(frame, client.address);
    client.state = Client::State::kReady;
  }
}

// Notes the request of a client that waits for the page. The first fault counts.
void AddressTranslation::note_fault(uint64_t page) {
  const Cycle now = domain().now();
  for (unsigned i = 0; i < clients_.size() && !fault_; i++) {
    if (clients_[i].state != Client::State::kWaits || format_.page_of(clients_[i].address) != page) continue;
    const MemoryRequest& request = *requests_in[i].peek(now);
    fault_ = {i, request.address, request.write, request.origin};
  }
}

// The next answer of the second level; kAsleep: only entries from memory or room for a walk are missing.
Cycle AddressTranslation::next_answer(Cycle now) const {
  Cycle next = engine::kAsleep;
  for (const Miss& miss : misses_)
    if (miss.answer > now) next = std::min(next, miss.answer);
  return next;
}

std::string AddressTranslation::why_busy() const {
  if (misses_.empty()) return "";
  return fmt::format("{} pages looked up, {} walks of the page table under way", misses_.size(),
                     walker_.under_way());
}

}  // namespace cutaway::boxes
