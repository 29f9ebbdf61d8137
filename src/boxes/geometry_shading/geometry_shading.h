#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/counter.h"
#include "base/field.h"
#include "engine/box.h"
#include "engine/storage.h"
#include "engine/wire.h"
#include "func/geometry/assembly.h"
#include "messages/messages.h"
#include "structures/assembly_vertices.h"
#include "structures/gathered_group.h"
#include "structures/group_order.h"

namespace cutaway::boxes {

struct GeometryShadingSpec {
  unsigned groups = 16;
  unsigned output_vertices = 1024;
  unsigned vertices = 1024;
  unsigned gather_cycles = 32;

  template <class V>
  static void fields(V&& v) {
    using S = GeometryShadingSpec;
    v("groups", &S::groups, "groups", 1u, 256u,
      "groups of invocations under way, in the order in which their primitives leave");
    v("output_vertices", &S::output_vertices, "vertices", arch::kMaxEmittedVertices, 65536u,
      "output buffer: a group begins when it has room for all vertices that its invocations may emit");
    v("vertices", &S::vertices, "vertices", 3u, 65536u,
      "storage of emitted vertices that are sent on; each stays until the last of its primitives is done");
    v("gather_cycles", &S::gather_cycles, "cycles", 1u, 1024u,
      "cycles that an incomplete group waits for another primitive");
  }
};

struct GeometryShadingCounters {
  uint64_t primitives_in = 0, passed = 0, groups = 0, invocations = 0, vertices = 0, primitives = 0,
           output_stalls = 0;

  template <class V>
  static void fields(V&& v) {
    using C = GeometryShadingCounters;
    v("primitives_in", &C::primitives_in, "primitives", "primitives taken for geometry programs");
    v("passed", &C::passed, "primitives", "primitives of draws without a geometry program, passed through");
    v("groups", &C::groups, "groups", "groups of invocations sent to be shaded");
    v("invocations", &C::invocations, "invocations", "invocations in these groups");
    v("vertices", &C::vertices, "vertices", "vertices emitted to all streams");
    v("primitives", &C::primitives, "primitives", "primitives assembled from these vertices and sent on");
    v("output_stalls", &C::output_stalls, "groups", "groups that had to wait for room in the output buffer");
  }
};

// Geometry programs (DX-9), between primitive assembly and the clipper: gathers primitives into groups of
// invocations, has the groups shaded in any order, and assembles the emitted vertices in API order, one per
// cycle. A group is sent only if the output buffer has room for the most that it may emit, so that shading
// can never be blocked by later work. Draws without a geometry program pass through.
class GeometryShading final : public engine::Box {
 public:
  // front_end: its front end; shaders: units that run geometry programs, in groups of group_lanes.
  GeometryShading(std::string path, const GeometryShadingSpec& spec, unsigned front_end, unsigned shaders,
                  unsigned group_lanes, messages::Pools& pools);

  engine::In<messages::PrimitiveMessage> primitives_in;
  engine::Out<messages::VertexGroup> groups_out;                    // to the work distributor
  std::vector<engine::In<messages::EmittedPrimitives>> emitted_in;  // by shader unit
  engine::Out<messages::PrimitiveMessage> primitives_out;
  engine::Out<messages::DrawAssembled> assembled_out;
  engine::Storage storage;  // for vertices that are sent on

  GeometryShadingCounters counters;

  void list_ports(engine::PortList& list) override;
  std::vector<std::string_view> costs_nothing() const override;
  engine::Cycle tick(engine::Cycle now) override;
  std::string why_busy() const override;

 private:
  using Entry = structures::GroupOrder::Entry;  // counts lanes; reserves vertices of the output buffer
  // State of a stream of the draw whose primitives leave.
  struct Stream {
    func::PrimitiveAssembler assembler;
    structures::AssemblyVertices<3> vertices;
  };

  bool gather(engine::Cycle now);
  bool take(engine::Cycle now, const messages::PrimitiveMessage& message);
  bool take_end(engine::Cycle now, const messages::PrimitiveMessage& end);
  bool send_group(engine::Cycle now);
  uint32_t most_vertices() const;
  bool take_emitted(engine::Cycle now);
  bool send(engine::Cycle now);
  void send_end(engine::Cycle now, const messages::DrawState* state, const messages::Origin& origin,
                bool draw_end);
  bool send_vertex(engine::Cycle now, Entry& entry);
  void begin_draw(const Entry& entry);
  static bool leaves(const Entry& entry, uint32_t stream);
  void assemble(engine::Cycle now, const Entry& entry, uint32_t stream, const uint32_t* words);
  bool skip_cuts(const Entry& entry);
  void end_lane(const Entry& entry);
  static void end_strip(Stream& stream);
  uint32_t most_lanes(const messages::DrawState& state) const;
  engine::Cycle account(engine::Cycle now, bool progress);

  GeometryShadingSpec spec_;
  unsigned group_lanes_;
  messages::Pools& pools_;

  structures::GatheredGroup gathered_;
  bool lacked_ = false;      // the output buffer had no room in the last cycle
  uint32_t invocation_ = 0;  // next invocation of the primitive at the input

  structures::GroupOrder order_;
  uint32_t reserved_ = 0;  // vertices of the output buffer

  // State of the group at the front, whose vertices leave.
  uint32_t lane_ = 0, event_ = 0, word_ = 0;
  engine::Cycle next_vertex_ = 0;  // the cycle from which the wire is free
  bool sends_ = false;             // in this cycle, from the order of groups
  messages::DrawAssembled assembled_;
  std::array<Stream, arch::kStreams> stream_;
};

}  // namespace cutaway::boxes
