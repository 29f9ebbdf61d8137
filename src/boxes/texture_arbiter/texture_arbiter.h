#pragma once

#include <string>
#include <vector>

#include "base/counter.h"
#include "engine/box.h"
#include "engine/wire.h"
#include "messages/messages.h"

namespace cutaway::boxes {

struct TextureArbiterCounters {
  uint64_t jobs = 0, contended = 0;

  template <class V>
  static void fields(V&& v) {
    using C = TextureArbiterCounters;
    v("jobs", &C::jobs, "quads", "texture instructions of quads passed on");
    v("contended", &C::contended, "quads", "texture instructions passed on while another shader unit waited");
  }
};

// Shares a texture unit among several shader units: passes one request per cycle, from waiting units in turn,
// and returns one answer per cycle to its requester.
class TextureArbiter final : public engine::Box {
 public:
  // requesters: shader units, 2 to 16.
  TextureArbiter(std::string path, unsigned requesters);

  engine::Inputs<messages::TextureMessage> jobs_in;                // by shader unit
  engine::Out<messages::TextureMessage> jobs_out;                  // to the texture unit
  engine::In<messages::TextureMessage> results_in;                 // from it
  std::vector<engine::Out<messages::TextureMessage>> results_out;  // by shader unit

  TextureArbiterCounters counters;

  void list_ports(engine::PortList& list) override {
    list("jobs_in", jobs_in, "from each shader unit: a texture instruction or buffer load of a quad");
    list("jobs_out", jobs_out, "one of them");
    list("results_in", results_in, "its result");
    list("results_out", results_out, "the result, to the unit that asked");
  }
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override { return ""; }

 private:
  bool pass_result(engine::Cycle now);
  bool pass_job(engine::Cycle now);

  unsigned turn_ = 0;  // requester to try first
};

}  // namespace cutaway::boxes
