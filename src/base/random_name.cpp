#include "base/random_name.h"

#include <random>

namespace cutaway {

std::string random_name(size_t letters) {
  static thread_local std::random_device random;
  std::string name;
  for (size_t i = 0; i < letters; i++) name += kRandomLetters[random() % kRandomLetters.size()];
  return name;
}

}  // namespace cutaway
