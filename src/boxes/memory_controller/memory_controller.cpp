#include "boxes/memory_controller/memory_controller.h"

#include <algorithm>
#include <bit>

#include "base/few_bits.h"

namespace cutaway::boxes {

using engine::Cycle;

namespace {

// Bytes that memory moves for a request, mostly all of its sector.
messages::ByteMask moved_for(const messages::MemoryRequest& request, uint32_t access_bytes) {
  return request.mask == messages::kAllBytes ? messages::kAllBytes
                                             : messages::moved_for(request.mask, access_bytes);
}

}  // namespace

MemoryController::MemoryController(std::string path, const MemoryControllerSpec& spec, unsigned clients,
                                   arch::Memory& memory)
    : Box(std::move(path)),
      requests(clients),
      replies(clients),
      context(clients),
      client_counters(clients),
      partition_counters(clients),
      spec_(spec),
      memory_(memory),
      interleave_(spec.interleave),
      channel_count_(spec.channels),
      tags_(spec.tag_regions, spec.tag_blocks, spec.channels, spec.expanded_blocks, memory),
      channels_(spec.channels),
      queues_(size_t{clients} * spec.channels),
      own_channels_(clients),
      own_(clients),
      crossing_(clients),
      replies_(clients, spec.replies, spec.crossbar_latency != 0),
      in_crossbar_(std::max(clients, 1u)),
      asking_(std::max(clients, 1u)),
      full_(std::max(clients, 1u)) {
  for (Channel& channel : channels_) {
    channel.dram = DramModels::make(spec.dram, spec);
    channel.scheduler = ChannelSchedulers::make(spec.scheduler, clients, spec, *channel.dram);
    channel.note_times();
  }
  for (auto& queue : queues_) queue.reset(spec.queue);
  if (!spec.crossbar_latency) return;
  for (auto& queue : crossing_) queue.reset(spec.crossbar_latency);
}

const engine::Port* MemoryController::source_of(const engine::Port& out) const {
  for (unsigned client = 0; translated_ && client < replies.size(); client++)
    if (&out == &replies[client]) return replies_.under_way(client) ? nullptr : &requests[client];
  return nullptr;
}

void MemoryController::put_in_partition(unsigned client, unsigned first, unsigned count) {
  CUTAWAY_CHECK(first + count <= spec_.channels && spec_.channels < 32);
  own_channels_[client] = ((1u << count) - 1) << first;
}

Cycle MemoryController::tick(Cycle now) {
  Cycle next = engine::kAsleep;
  bool progress = answer_all(now, next);
  progress |= context.take(now, requests);
  progress |= clear(now);
  bool transferring = clear_ends_ > now;
  if (transferring) next = std::min(next, clear_ends_);
  progress |= serve_all(now, next, transferring);
  if (system_) progress |= serve_system(now);
  progress |= accept_all(now, next);
  if (progress) return busy(now);
  if (transferring) return busy(now, next);
  const uint32_t stuck = replies_.stuck(now);
  if (stuck != structures::IndexSet::kNone) return blocked(now, replies[stuck], next);
  return system_ && !system_->empty() ? blocked(now, bus_out, next) : idle(now, next);
}

// Lowers `next` to the next cycle in which a reply is ready. Replies that are ready but cannot leave wait for
// their bus.
bool MemoryController::answer_all(Cycle now, Cycle& next) {
  bool progress = false;
  const Cycle later = replies_.answer_ready(now, [&](uint32_t client) { progress |= answer(now, client); });
  next = std::min(next, later);
  return progress;
}

bool MemoryController::serve_all(Cycle now, Cycle& next, bool& transferring) {
  bool progress = false;
  for (unsigned index = 0; index < spec_.channels; index++) {
    const Channel& channel = channels_[index];
    if (channel.waiting) {
      if (channel.next <= now) progress |= serve(now, index);
      if (channel.waiting && channel.next > now) next = std::min(next, channel.next);
    }
    if (channel.transferred <= now) continue;
    transferring = true;
    next = std::min(next, channel.transferred);
  }
  return progress;
}

// Lowers `next` to the next cycle in which a transaction is through the crossbar. Those that are and cannot
// leave wait for their channel.
bool MemoryController::accept_all(Cycle now, Cycle& next) {
  bool progress = false;
  if (in_crossbar_.empty()) {
    requests.for_filled([&](unsigned client) { progress |= accept_next(now, client); });
    return progress;
  }
  asking_ = in_crossbar_;
  requests.for_filled([&](unsigned client) { asking_.insert(client); });
  asking_.for_each([&](unsigned client) {
    if (in_crossbar_.contains(client)) progress |= leave_crossbar(now, client);
    progress |= accept_next(now, client);
  });
  in_crossbar_.for_each([&](uint32_t client) {
    const Cycle there = crossing_[client].front().arrived + spec_.crossbar_latency;
    if (there > now) next = std::min(next, there);
  });
  return progress;
}

// Accepts the client's next request, if one has arrived and there is room.
bool MemoryController::accept_next(Cycle now, unsigned client) {
  if (full_.contains(client)) return false;
  const messages::MemoryRequest* request = requests[client].peek(now);
  if (!request) return false;
  if (replies_.has_room(client) && accept(now, client, *request)) return true;
  full_.insert(client);
  return false;
}

bool MemoryController::accept(Cycle now, unsigned client, const messages::MemoryRequest& request) {
  const arch::Address address = memory_.target_of(context.place(client, request.address));
  if (address == request.address) return accept_at(now, client, request);
  messages::MemoryRequest placed = request;
  placed.address = address;
  return accept_at(now, client, placed);
}

// Accepts a request by its address in memory.
bool MemoryController::accept_at(Cycle now, unsigned client, const messages::MemoryRequest& request) {
  if (system_ && system_->holds(request.address)) return accept_system(now, client, request);
  const unsigned channel = channel_of(request.address);
  const bool crossing = crosses(client, channel);
  if (crossing ? crossing_[client].full() : queue(client, channel).full()) return false;
  PartitionClientCounters& counters = partition_counters[client];
  is_local(client, channel) ? counters.local++ : counters.crossed++;
  replies_.accept(client);
  if (crossing) {
    Transaction& transaction = crossing_[client].push_stale();
    transaction.arrived = now;
    transaction.request = request;
    in_crossbar_.insert(client);
  } else {
    enter_queue(client, channel, now, request);
  }
  requests[client].drop(now);
  return true;
}

// Nothing in system memory is cleared by tags or compressed, so opportunistic fetches are declined.
bool MemoryController::accept_system(Cycle now, unsigned client, const messages::MemoryRequest& request) {
  if (system_->full(client)) return false;
  replies_.accept(client);
  if (request.opportunistic != messages::Opportunistic::kNo) {
    ReplyQueues::Reply& answer = replies_.push(client, false);
    answer.arrived = now, answer.work = request.origin.work;
    answer.reply.tag = request.tag, answer.reply.declined = true;
    replies_.book(client, answer);
  } else {
    system_->push(client, now, request);
  }
  requests[client].drop(now);
  return true;
}

bool MemoryController::serve_system(Cycle now) {
  const bool taken = take_system(now);
  return pass_on(now) || taken;
}

// Takes a reply of the bus.
bool MemoryController::take_system(Cycle now) {
  const messages::MemoryReply* reply = bus_in.peek(now);
  if (!reply) return false;
  const SystemPath::Pending pending = system_->end(reply->tag);
  ReplyQueues::Reply& answer = replies_.push(pending.client, false);
  answer.arrived = pending.arrived, answer.work = pending.work;
  answer.reply = *reply;
  answer.reply.tag = pending.tag;
  replies_.book(pending.client, answer);
  bus_in.drop(now);
  return true;
}

// Passes a transaction on to the bus.
bool MemoryController::pass_on(Cycle now) {
  if (system_->empty() || !bus_out.ready(now)) return false;
  const auto [client, request] = system_->take();
  full_.erase(client);
  works_for(request.origin.work);
  last_writers_.note_write(request, client);
  bus_out.send(now, request);
  return true;
}

bool MemoryController::leave_crossbar(Cycle now, unsigned client) {
  auto& crossing = crossing_[client];
  if (crossing.front().arrived + spec_.crossbar_latency > now) return false;
  const unsigned channel = channel_of(crossing.front().request.address);
  if (queue(client, channel).full()) return false;
  enter_queue(client, channel, crossing.front().arrived, crossing.front().request);
  crossing.drop();
  full_.erase(client);
  if (crossing.empty()) in_crossbar_.erase(client);
  return true;
}

void MemoryController::enter_queue(unsigned client, unsigned channel, Cycle arrived,
                                   const messages::MemoryRequest& request) {
  __builtin_prefetch(memory_.readable(request.address));  // else the host waits when it moves the bytes
  const bool joined = join(client, channel, request);
  channels_[channel].scheduler->arrived(client, waiting(request, arrived));
  channels_[channel].waiting++;
  Transaction& transaction = queue(client, channel).push_stale();
  transaction.arrived = arrived;
  transaction.request = request;
  transaction.also = 0;
  transaction.joined = joined;
}

// Merges a read with a waiting read of the same sector, unless a write to the sector lies between. Returns
// false if there is none.
bool MemoryController::join(unsigned client, unsigned channel, const messages::MemoryRequest& request) {
  const messages::ByteMask wanted = moved_for(request, spec_.access_bytes);
  if (request.write || wanted == messages::kAllBytes) return false;
  auto& waiting = queue(client, channel);
  for (uint32_t i = waiting.size(); i-- > 0;) {
    Transaction& before = waiting[i];
    if (before.request.address != request.address) continue;
    if (before.request.write) return false;
    if (before.joined) continue;
    before.also |= wanted;
    return true;
  }
  return false;
}

// A block's tags and sectors change together, as do the sectors of a stack.
ChannelScheduler::Waiting MemoryController::waiting(const messages::MemoryRequest& request,
                                                    Cycle arrived) const {
  return {.write = request.write,
          .arrived = arrived,
          .address = within_channel(request.address),
          .block = request.address / BlockTags::kBlockBytes,
          .alone = request.stack.samples > 1};
}

// Serves one transaction that needs memory, and some before it that do not.
bool MemoryController::serve(Cycle now, unsigned index) {
  Channel& channel = channels_[index];
  bool any = false;
  for (unsigned i = 0; i < spec_.tag_lookups && channel.waiting && channel.next <= now; i++) {
    channel.dram->advance(now);
    channel.note_times();
    if (channel.next > now) break;
    any = true;
    if (serve_next(now, index)) break;
  }
  return any;
}

// Serves the next transaction; returns true if it needed memory.
bool MemoryController::serve_next(Cycle now, unsigned index) {
  Channel& channel = channels_[index];
  const ChannelScheduler::Pick pick = channel.scheduler->pick(now);
  const unsigned client = pick.client;
  auto& transactions = queue(client, index);
  const Transaction& transaction = transactions[pick.position];
  const messages::MemoryRequest& request = transaction.request;
  works_for(request.origin.work);
  const bool crossing = crosses(client, index);
  ReplyQueues::Reply& answer = replies_.push(client, crossing);
  answer.reply.tag = request.tag, answer.reply.write = request.write;
  const BlockTags::Transfers transfers = act(transaction, client, answer.reply);
  const Cycle end = transfer(now, request.address, transfers);
  const Cycle ready = end + spec_.latency + (transfers.expands ? spec_.expand_latency : 0) +
                      (crossing ? spec_.crossbar_latency : 0);
  replies_.book(client, answer, ready);
  answer.arrived = transaction.arrived, answer.work = request.origin.work;
  transactions.erase(pick.position);
  full_.erase(client);
  channel.waiting--;
  channel.scheduler->served(pick);
  return transfers.reads || transfers.writes || transfers.reads_last || transfers.stack_writes;
}

// Performs a transaction's read or write, and returns the sectors transferred over the channel's bus.
BlockTags::Transfers MemoryController::act(const Transaction& transaction, unsigned client,
                                           messages::MemoryReply& reply) {
  const messages::MemoryRequest& request = transaction.request;
  BlockTags::Transfers transfers =
      own_.serves(client) ? own_.act(client, request, reply)
      : request.write     ? tags_.write(request)
                          : tags_.read(request, channel_of(tags_.place_of(request.address)), reply);
  if (!request.write) reply.bring(moved_for(request, spec_.access_bytes) & reply.mask);
  if (transaction.joined && transfers.bytes != messages::kAllBytes) transfers.reads = 0;
  transfers.bytes |= transaction.also;
  const auto count = [&](uint64_t& bytes, uint32_t sectors, uint32_t each) {
    if (sectors) count_for(request.origin.work, bytes, uint64_t{sectors} * each);
  };
  const uint32_t each = transfers.bytes_of_sector(spec_.access_bytes);
  count(client_counters[client].read_bytes, count_of_four(transfers.reads), each);
  count(client_counters[client].read_bytes, transfers.reads_last, messages::kSectorBytes);
  count(client_counters[client].write_bytes, count_of_four(transfers.writes), each);
  if (transfers.stack_writes)
    count(client_counters[client].write_bytes, static_cast<uint32_t>(std::popcount(transfers.stack_writes)),
          messages::kSectorBytes);
  last_writers_.note_write(request, client);
  return transfers;
}

// Transfers sectors of the address's block, and of its sample stack, each in its own channel; reads first.
// Returns the end of the last transfer.
Cycle MemoryController::transfer(Cycle now, arch::Address address, const BlockTags::Transfers& transfers) {
  const arch::Address block = address / BlockTags::kBlockBytes * BlockTags::kBlockBytes;
  Cycle end = now;
  const auto move = [&](arch::Address sector, bool write, uint32_t bytes) {
    Channel& channel = channels_[channel_of(sector)];
    DramChannel& dram = *channel.dram;
    Cycle at = std::max(now, dram.next());
    dram.advance(at);
    at = std::max(at, dram.next());
    end = std::max(end, dram.serve(at, within_channel(sector), write, bytes));
    channel.note_times();
  };
  for (const bool write : {false, true}) {
    for (uint32_t left = write ? transfers.writes : transfers.reads; left; left &= left - 1)
      move(block + static_cast<uint32_t>(std::countr_zero(left)) * messages::kSectorBytes, write,
           transfers.bytes_of_sector(spec_.access_bytes));
    if (!write && transfers.reads_last) move(transfers.last, false, messages::kSectorBytes);
    for (uint32_t left = write ? transfers.stack_writes : 0; left; left &= left - 1)
      move(transfers.stack.before(transfers.last, static_cast<uint32_t>(std::countr_zero(left))), true,
           messages::kSectorBytes);
  }
  return end;
}

// Sets some tags per cycle. Reports at once the part that must be written.
bool MemoryController::clear(Cycle now) {
  const messages::ClearBlocks* order = clears_in.peek(now);
  if (!order) return false;
  if (!clear_ends_) {
    if (order->depth) tags_.forget_packers();
    const arch::Address base = context.base();
    const func::ClearRun layer{order->layer.address + base, order->layer.bytes},
        run{order->run.address + base, order->run.bytes};
    const bool beyond = context.on() && arch::context_of(order->layer.address + order->layer.bytes);
    const bool in_system = system_ && system_->holds_some(layer.address, layer.bytes);
    const bool sparse = memory_.sparse_within(layer.address, layer.bytes);
    cleared_ = in_system || beyond || sparse ? func::ClearRun{} : tags_.clear(layer, run, order->value);
    const uint64_t blocks = cleared_.bytes / BlockTags::kBlockBytes;
    clear_ends_ = now + (blocks + spec_.clear_blocks - 1) / spec_.clear_blocks;
    works_for(order->origin.work);
    last_writers_.note_clear(cleared_, order->origin, clear_client);
  }
  if (clear_ends_ > now || !cleared_out.ready(now)) return false;
  clear_ends_ = 0;
  if (cleared_.bytes) cleared_.address -= context.base();
  cleared_out.send(now, {cleared_});
  clears_in.drop(now);
  return true;
}

bool MemoryController::answer(Cycle now, unsigned client) {
  if (!replies[client].ready(now)) return false;
  const ReplyQueues::Reply& reply = replies_.front(client);
  MemoryClientCounters& counters = client_counters[client];
  const Cycle took = now - reply.arrived;
  count_for(reply.work, counters.answered, 1);
  count_for(reply.work, counters.latency, took);
  if (took > counters.longest) count_for(reply.work, counters.longest, took - counters.longest);
  replies[client].send(now, reply.reply);
  replies_.drop(client);
  full_.erase(client);
  return true;
}

void MemoryController::count_until(Cycle next) {
  for (Channel& channel : channels_) channel.dram->settle(next - 1);
}

std::string MemoryController::why_busy() const {
  unsigned queued = 0;
  const unsigned answers = replies_.waiting();
  for (const auto& queue : queues_) queued += queue.size();
  for (const auto& queue : crossing_) queued += queue.size();
  if (system_) queued += system_->queued();
  if (!queued && !answers && !clear_ends_) return "";
  return fmt::format("{} transactions queued, {} replies waiting", queued, answers);
}

}  // namespace cutaway::boxes
