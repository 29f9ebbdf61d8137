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
//         "of those: of the driver's own draws", CounterRole::kVerticesShaded, CountOf::kDriver);
//     }
//   };
//
// The unit counts in its own struct; a CounterTable knows where each one is.
namespace cutaway {

// What a counter tells about a frame, whichever unit it is of: a frame's figures sum the counters of a role
// over all units. Most counters tell about their unit alone and have none.
enum class CounterRole : uint8_t {
  kNone,
  kDraws,                  // begun
  kDrawCycles,             // in which a draw was the oldest under way
  kVerticesShaded,         // those that the post-transform cache did not have
  kVerticesReused,         // those that it had
  kPrimitives,             // assembled: triangles, lines and points
  kFragmentsGenerated,     // by rasterisation
  kFragmentsKilledHz,      // before Z and stencil memory is read
  kFragmentsKilledEarlyZ,  // by the test before shading
  kFragmentsKilledShader,  // by their program
  kFragmentsKilledLateZ,   // by the test after shading
  kFragmentsWritten,       // samples, once per target
  kInstructions,           // of shaders, one per group
  kCacheHits,              // lines, of the cache of the unit
  kCacheMisses,
};
const char* name_of(CounterRole role);

// Whose draws a counter of a role counts: all, or once more only those that the driver draws by itself.
enum class CountOf : uint8_t { kAll, kDriver };

struct Counter {
  std::string path;  // of the unit: "gpu.shader0.texture"
  std::string name;
  std::string unit, meaning;
  const uint64_t* value;
  CounterRole role = CounterRole::kNone;
  CountOf of = CountOf::kAll;
  std::string full_name() const { return path + "." + name; }
};

class CounterTable {
 public:
  // The values must outlive the table and stay where they are. A name given twice is an InternalError.
  void add(Counter counter);
  template <class C>
  void add(const std::string& path, const C& counters) {
    C::fields([&](const char* name, uint64_t C::*member, const char* unit, const char* meaning,
                  CounterRole role = CounterRole::kNone, CountOf of = CountOf::kAll) {
      add({path, name, unit, meaning, &(counters.*member), role, of});
    });
  }

  const std::vector<Counter>& counters() const { return counters_; }  // in order of full name
  // The value of a counter. A name that none has is an InternalError.
  uint64_t value(const std::string& full_name) const;
  uint64_t hash() const;  // of all names and values

 private:
  std::vector<Counter> counters_;
};

}  // namespace cutaway
