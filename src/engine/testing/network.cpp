#include "engine/testing/network.h"

#include <algorithm>

namespace cutaway::engine::testing {

namespace {

uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

struct Token {
  uint64_t value = 0;
  uint64_t payload[6] = {};
};

struct NodeCounters {
  uint64_t made = 0, taken = 0, ended = 0, checksum = 0;

  template <class V>
  static void fields(V&& v) {
    using C = NodeCounters;
    v("made", &C::made, "tokens", "sent by a source");
    v("taken", &C::taken, "tokens", "taken from a neighbour");
    v("ended", &C::ended, "tokens", "that had nowhere further to go");
    v("checksum", &C::checksum, "", "of values and cycles");
  }
};

using Flaw = NetworkOptions::Flaw;

// Takes tokens from its inputs in turn, works on each, and sends it to the output that its value selects. A
// node without inputs is a source of bursts.
class Node final : public Box {
 public:
  Node(std::string path, const NetworkOptions& options, size_t inputs, size_t outputs, uint64_t seed)
      : Box(std::move(path)), in(inputs), out(outputs), options_(options), random_(seed) {}

  std::vector<In<Token>> in;
  std::vector<Out<Token>> out;
  NodeCounters counters;
  Flaw flaw = Flaw::kNone;
  const Node* neighbour = nullptr;

  Cycle tick(Cycle now) override { return in.empty() ? make(now) : forward(now); }
  void list_ports(PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return holds_ ? "a token" : ""; }

 private:
  Cycle make(Cycle now) {
    if (now < until_) return idle(now, until_);
    if (!holds_) {
      holds_ = true;
      token_.value = random_ = mix(random_ + 0x9e3779b97f4a7c15u);
    }
    Out<Token>& port = out[token_.value % out.size()];
    if (!port.ready(now)) return blocked(now, port);
    port.send(now, token_, token_.value % 7 == 0 ? 3 : 1);
    holds_ = false;
    if (++counters.made % options_.burst == 0) until_ = now + 1 + token_.value % (2 * options_.pause);
    return busy(now);
  }

  Cycle forward(Cycle now) {
    if (flaw == Flaw::kCountsIdleTicks) counters.checksum++;
    if (holds_ && now < until_) return busy(now, until_);
    if (holds_) {
      if (out.empty()) return finish(now);
      Out<Token>& port = out[token_.value % out.size()];
      if (!port.ready(now)) return blocked(now, port);
      port.put(now) = token_;
      holds_ = false;
      return busy(now);
    }
    for (size_t i = 0; i < in.size(); i++) {
      const size_t port = (turn_ + i) % in.size();
      if (in[port].peek(now)) return begin(now, port);
    }
    return counters.taken ? starved(now, in[turn_]) : idle(now);
  }

  Cycle begin(Cycle now, size_t port) {
    token_ = in[port].take(now);
    token_.value = mix(token_.value);
    token_.payload[token_.value % 6] += now;
    turn_ = (port + 1) % in.size();
    counters.taken++;
    if (flaw == Flaw::kPeeksAtNeighbour) counters.checksum += neighbour->counters.taken;
    holds_ = true;
    until_ = now + 1 + token_.value % (2 * options_.work);
    if (flaw == Flaw::kHidesProgress) return starved(now, in[turn_]);
    return busy(now);
  }

  Cycle finish(Cycle now) {
    holds_ = false;
    counters.ended++;
    for (const uint64_t word : token_.payload)
      counters.checksum = mix(counters.checksum ^ word ^ token_.value);
    return busy(now);
  }

  const NetworkOptions options_;
  uint64_t random_;
  Token token_;
  bool holds_ = false;
  Cycle until_ = 0;
  size_t turn_ = 0;
};

}  // namespace

Network::Network(const NetworkOptions& network, const SchedulerOptions& scheduler) : sim(scheduler) {
  // Node n of a layer sends to two nodes of the next layer, so each node except the sources has two inputs.
  std::vector<Domain*> domains;
  for (const uint64_t period : network.periods)
    domains.push_back(&sim.add_domain("clock" + std::to_string(domains.size()), period));
  uint64_t random = network.topology;
  const auto dice = [&](unsigned sides) {
    return static_cast<unsigned>((random = mix(random + 1)) >> 33) % sides;
  };
  std::vector<std::vector<Node*>> nodes(network.layers);
  for (unsigned layer = 0; layer < network.layers; layer++)
    for (unsigned n = 0; n < network.width; n++)
      nodes[layer].push_back(&sim.add<Node>(
          *domains[dice(static_cast<unsigned>(domains.size()))], fmt::format("net.layer{}.node{}", layer, n),
          network, layer ? 2u : 0u, layer + 1 < network.layers ? 2u : 0u, dice(1u << 30)));
  for (unsigned layer = 0; layer + 1 < network.layers; layer++)
    for (unsigned n = 0; n < network.width; n++)
      for (unsigned port = 0; port < 2; port++)
        sim.connect(nodes[layer][n]->out[port], nodes[layer + 1][(n + port * 4) % network.width]->in[port],
                    {.latency = 1 + dice(12), .bandwidth = 1 + dice(3), .slots = 1 + dice(9)});
  Node& middle = *nodes[network.layers / 2][network.width / 2];
  middle.flaw = network.flaw;
  middle.neighbour = nodes[network.layers / 2 - 1][0];
  sim.elaborate();
}

uint64_t Network::tokens() const {
  uint64_t tokens = 0;
  for (const Counter& counter : sim.counters().counters())
    tokens += counter.name == "ended" ? *counter.value : 0;
  return tokens;
}

}  // namespace cutaway::engine::testing
