#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Counters are declared once, as a unit's `Counters` struct of uint64_t members:
//
//   struct StreamerCounters {
//     uint64_t vertices = 0;
//
//     template <class V> static void fields(V&& v) {
//       v("vertices", &StreamerCounters::vertices, "vertices", "vertices sent to shading");
//     }
//   };
//
// The unit counts in its own struct; a CounterTable knows where each one is.
namespace cutaway {

struct Counter {
  std::string path;  // of the unit: "gpu.shader0.texture"
  std::string name;
  std::string unit, meaning;
  const uint64_t* value;
  std::string full_name() const { return path + "." + name; }
};

class CounterTable {
 public:
  // The values must outlive the table and stay where they are. A name given twice is an InternalError.
  void add(Counter counter);
  template <class C>
  void add(const std::string& path, const C& counters) {
    C::fields([&](const char* name, uint64_t C::*member, const char* unit, const char* meaning) {
      add({path, name, unit, meaning, &(counters.*member)});
    });
  }

  const std::vector<Counter>& counters() const { return counters_; }  // in order of full name
  const Counter* find(const std::string& full_name) const;
  uint64_t hash() const;  // of all names and values

 private:
  std::vector<Counter> counters_;
};

}  // namespace cutaway
