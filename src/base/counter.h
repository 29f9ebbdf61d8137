#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Counters are declared once, as a unit's `Counters` struct of uint64_t members:
//
//   struct StreamerCounters {
//     uint64_t indices = 0, vertices = 0, driver_vertices = 0;
//
//     template <class V> static void fields(V&& v) {
//       v("indices", &StreamerCounters::indices, "indices", "indices read");
//       v("vertices", &StreamerCounters::vertices, "vertices", "sent to shading",
//         CounterRole::kVerticesShaded);
//       v("driver_vertices", &StreamerCounters::driver_vertices, "vertices",
//         "vertices shaded for the driver's own draws", CounterRole::kVerticesShaded, CountOf::kDriver);
//     }
//   };
//
// The unit counts in its own struct; a CounterTable knows where each one is.
namespace cutaway {

// The quantity of a frame that a counter measures, in whichever unit it is. A frame's figures sum the
// counters of a role over all units. Most counters concern their unit alone and have no role.
enum class CounterRole : uint8_t {
  kNone,
  kDraws,                  // begun
  kDrawCycles,             // cycles in which a draw was the oldest in flight
  kVerticesShaded,         // misses of the post-transform cache
  kVerticesReused,         // hits of the post-transform cache
  kPrimitives,             // assembled: triangles, lines and points
  kFragmentsGenerated,     // by rasterisation
  kFragmentsKilledHz,      // before Z and stencil memory is read
  kFragmentsKilledEarlyZ,  // by the test before shading
  kFragmentsKilledShader,  // by their program
  kFragmentsKilledLateZ,   // by the test after shading
  kFragmentsWritten,       // samples, once per target
  kInstructions,           // of shaders, one per thread group
  kCacheHits,              // lines, of the unit's cache
  kCacheMisses,
};
const char* name_of(CounterRole role);

// The draws that a counter of a role covers: all, or in addition only those that the driver issues by itself.
enum class CountOf : uint8_t { kAll, kDriver };

struct Counter {
  std::string path;  // path of its unit: "gpu.shader0.texture"
  std::string name;
  std::string unit, meaning;
  const uint64_t* value;
  CounterRole role = CounterRole::kNone;
  CountOf of = CountOf::kAll;
  std::string full_name() const { return path + "." + name; }
};

class CounterTable {
 public:
  // The values must outlive the table and must not move. InternalError if a name is given twice.
  void add(Counter counter);
  template <class C>
  void add(const std::string& path, const C& counters) {
    C::fields([&](const char* name, uint64_t C::*member, const char* unit, const char* meaning,
                  CounterRole role = CounterRole::kNone, CountOf of = CountOf::kAll) {
      add({path, name, unit, meaning, &(counters.*member), role, of});
    });
  }

  const std::vector<Counter>& counters() const { return counters_; }  // in order of full name
  // The value of a counter. InternalError if no counter has that name.
  uint64_t value(const std::string& full_name) const;
  uint64_t hash() const;  // of all names and values

 private:
  std::vector<Counter> counters_;
};

}  // namespace cutaway
