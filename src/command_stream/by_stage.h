#pragma once

#include <array>

#include "arch/state.h"

namespace cutaway::command_stream {

// One T for each shader stage of the contract.
template <class T>
class ByStage {
 public:
  ByStage() = default;
  explicit ByStage(const T& all) { of_.fill(all); }
  T& operator[](arch::Stage stage) { return of_[static_cast<uint32_t>(stage)]; }
  const T& operator[](arch::Stage stage) const { return of_[static_cast<uint32_t>(stage)]; }
  auto begin() { return of_.begin(); }
  auto end() { return of_.end(); }
  auto begin() const { return of_.begin(); }
  auto end() const { return of_.end(); }

 private:
  std::array<T, arch::kStages> of_{};
};

}  // namespace cutaway::command_stream
