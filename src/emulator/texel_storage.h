#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cutaway::emulator {

// Storage for copies of textures, in the system's huge pages: the texels of a draw then need few entries of
// the host's TLB. Copies that were taken one after the other lie side by side in a chunk; a chunk goes back
// to the system with its last copy.
class TexelStorage {
 public:
  // Counts the owners of these words alone.
  std::shared_ptr<uint32_t> take(size_t words);

 private:
  std::shared_ptr<std::byte> chunk_;
  size_t used_ = 0, bytes_ = 0;  // of the chunk
};

}  // namespace cutaway::emulator
