#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"

// Policies that a parameter chooses by name. A family declares the interface, and with what a policy of it is
// made:
//
//   struct Schedulers : PolicyFamily<Schedulers, Scheduler, unsigned> {};     // made with a number of groups
//
// A policy enters its family from its own source file. Nothing else names it:
//
//   class Oldest final : public Scheduler { ... };    // with a constructor Oldest(unsigned), or Oldest()
//   const Schedulers::Member<Oldest> kOldest("oldest");
//
// A unit's Spec declares the parameter, and the unit makes the policy:
//
//   PolicyName<Schedulers> scheduler = "oldest";
//   v("scheduler", &S::scheduler, "who issues");                              // base/field.h
//   scheduler_(Schedulers::make(spec.scheduler, groups))
//
// Members enter before main() begins, in an order that depends on the linker. Families sort them by name, so
// that nothing else depends on it. The library of such a file must be linked whole: cutaway_library(...
// WHOLE) in cmake/CutawayLibrary.cmake.
namespace cutaway {

// The value of a parameter that names a policy of `Family`. The text must live as long as the program: it is
// a literal, or comes from Family::names().
template <class Family>
struct PolicyName {
  std::string_view name;

  constexpr PolicyName(const char* text) : name(text) {}
  bool operator==(const PolicyName&) const = default;
};

// Self: the family. Interface: what its policies derive from. Setup: what a policy is made with.
template <class Self, class Interface, class... Setup>
class PolicyFamily {
 public:
  // P is constructible from Setup, or from what Setup begins with; from nothing, if it needs nothing.
  template <class P>
  struct Member {
    // name: a literal, which no other policy of the family has.
    explicit Member(std::string_view name) { add(name, &make_one<P>); }
  };

  // In alphabetical order.
  static std::vector<std::string_view> names() {
    std::vector<std::string_view> all;
    for (const Entry& entry : entries()) all.push_back(entry.name);
    return all;
  }
  // The family must have the name: parameters are checked when they are set.
  static std::unique_ptr<Interface> make(PolicyName<Self> wanted, Setup... setup) {
    for (const Entry& entry : entries())
      if (entry.name == wanted.name) return entry.make(setup...);
    CUTAWAY_CHECK(false, "no policy is called {}", wanted.name);
  }

 private:
  using Make = std::unique_ptr<Interface>(Setup...);
  struct Entry {
    std::string_view name;
    Make* make;
  };

  static std::vector<Entry>& entries() {
    static std::vector<Entry> all;
    return all;
  }
  static void add(std::string_view name, Make* make) {
    std::vector<Entry>& all = entries();
    const auto place = std::lower_bound(
        all.begin(), all.end(), name, [](const Entry& entry, std::string_view n) { return entry.name < n; });
    CUTAWAY_CHECK(place == all.end() || place->name != name, "two policies are called {}", name);
    all.insert(place, {name, make});
  }
  template <class P>
  static std::unique_ptr<Interface> make_one(Setup... setup) {
    return from_first<P>(std::tuple<Setup...>(setup...), std::index_sequence_for<Setup...>());
  }
  template <class P, size_t... i>
  static std::unique_ptr<Interface> from_first(const std::tuple<Setup...>& setup, std::index_sequence<i...>) {
    if constexpr (std::is_constructible_v<P, std::tuple_element_t<i, std::tuple<Setup...>>...>) {
      return std::make_unique<P>(std::get<i>(setup)...);
    } else {
      static_assert(sizeof...(i) > 0, "the policy has no constructor that its family can call");
      if constexpr (sizeof...(i) > 0)
        return from_first<P>(setup, std::make_index_sequence<sizeof...(i) - 1>());
    }
  }
};

}  // namespace cutaway
