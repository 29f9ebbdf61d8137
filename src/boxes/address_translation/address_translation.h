#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/counter.h"
#include "boxes/address_translation/address_translation_spec.h"
#include "boxes/address_translation/page_walker.h"
#include "boxes/address_translation/tlb.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/memory_message.h"
#include "structures/bound_context.h"

namespace cutaway::boxes {

// Memory clients that share a TLB of the first level.
enum class ClientGroup : uint8_t {
  kCommands,  // command processor, constant loader, copy engine
  kVertices,  // units of the front ends, transform feedback
  kTexture,
  kStorage,
  kDepth,
  kColor,
  kDisplay
};
constexpr EnumName<ClientGroup> kClientGroupNames[] = {
    {ClientGroup::kCommands, "commands"}, {ClientGroup::kVertices, "vertices"},
    {ClientGroup::kTexture, "texture"},   {ClientGroup::kStorage, "storage"},
    {ClientGroup::kDepth, "depth"},       {ClientGroup::kColor, "color"},
    {ClientGroup::kDisplay, "display"}};

// A TLB of the first level.
struct TlbCounters {
  uint64_t hits = 0, misses = 0, wait_cycles = 0;

  template <class V>
  static void fields(V&& v) {
    using C = TlbCounters;
    v("hits", &C::hits, "requests", "requests of the group that found their page");
    v("misses", &C::misses, "requests", "requests of the group that did not");
    v("wait_cycles", &C::wait_cycles, "cycles",
      "cycles of the memory clock from such a miss to the page's frame, summed over all");
  }
};

struct AddressTranslationCounters {
  uint64_t l2_hits = 0, l2_misses = 0, merged = 0, walks = 0, walk_cycles = 0;

  template <class V>
  static void fields(V&& v) {
    using C = AddressTranslationCounters;
    v("l2_hits", &C::l2_hits, "look-ups", "misses of the first level whose page the second level held");
    v("l2_misses", &C::l2_misses, "look-ups", "misses of the first level whose page it did not hold");
    v("merged", &C::merged, "requests",
      "misses of the first level for a page that another one was being looked up for");
    v("walks", &C::walks, "walks", "walks of the page table that ended");
    v("walk_cycles", &C::walk_cycles, "cycles",
      "cycles of the memory clock from the begin to the end of these walks, summed over all");
  }
};

// Translates the addresses of memory clients' requests on their way to the memory controller. Replies go
// straight back to the clients. Requests of a client stay in order: one whose page the TLB of its group lacks
// holds up those behind it, and nobody else. Its page is looked up in the second level, and then in the page
// table. The machine's own memory, which no program can address, has no pages.
class AddressTranslation final : public engine::Box {
 public:
  // groups: of the clients, by number. table: the address of the page table's directory.
  AddressTranslation(std::string path, const AddressTranslationSpec& spec, std::vector<ClientGroup> groups,
                     arch::Address table);

  engine::Inputs<messages::MemoryRequest> requests_in;  // by client
  std::vector<engine::Out<messages::MemoryRequest>> requests_out;
  engine::Out<messages::MemoryRequest> memory_out;
  engine::In<messages::MemoryReply> memory_in;
  structures::BoundContext context;  // of all clients but the exempt; its part of memory has pages of its own

  AddressTranslationCounters counters;
  bool has(ClientGroup group) const;  // some client is of this group
  const TlbCounters& tlb_counters(ClientGroup group) const { return of(group).counters; }

  // A request for a page that the page table does not have. It never goes on.
  struct Fault {
    unsigned client = 0;
    arch::Address address = 0;
    bool write = false;
    messages::Origin origin;
  };
  const Fault* fault() const { return fault_ ? &*fault_ : nullptr; }

  // From outside, between cycles: entries of the page table have changed.
  void forget_all();

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  using Cycle = engine::Cycle;
  struct Group {
    Tlb tlb;
    TlbCounters counters;
  };
  // The oldest request of a client.
  struct Client {
    enum class State : uint8_t { kNew, kWaits, kReady };  // kReady: address is the translated one
    ClientGroup group = ClientGroup::kCommands;
    State state = State::kNew;
    Cycle since = 0;  // of kWaits
    arch::Address address = 0;
  };
  // A page that clients wait for.
  struct Miss {
    uint64_t page = 0;
    enum class State : uint8_t { kLooksUp, kLacks, kWalks };  // kLacks: the second level does not hold it
    State state = State::kLooksUp;
    Cycle answer = 0;  // of the second level
    messages::Origin origin;
  };

  Group& of(ClientGroup group) { return groups_[static_cast<size_t>(group)]; }
  const Group& of(ClientGroup group) const { return groups_[static_cast<size_t>(group)]; }
  bool take_entry(Cycle now);
  bool look_up_second(Cycle now);
  bool begin_walks(Cycle now);
  bool serve(Cycle now, unsigned index);
  void look_up(Cycle now, unsigned index, const messages::MemoryRequest& request);
  void miss(Cycle now, uint64_t page, const messages::Origin& origin);
  void end_miss(Cycle now, uint64_t page, uint64_t frame);
  void note_fault(uint64_t page);
  Cycle next_answer(Cycle now) const;

  AddressTranslationSpec spec_;
  PageFormat format_;
  std::vector<Group> groups_;  // by ClientGroup
  std::vector<Client> clients_;
  Tlb second_;
  PageWalker walker_;
  std::vector<Miss> misses_;  // in order of their look-ups; as many as clients, at most
  Cycle second_free_ = 0;     // from this cycle on the second level takes a look-up
  std::optional<Fault> fault_;
};

}  // namespace cutaway::boxes
