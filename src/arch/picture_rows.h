#pragma once

#include <algorithm>

#include "arch/gpu.h"

namespace cutaway::arch {

// Rows of pixels of a picture, from the top.
struct PictureRows {
  uint32_t first = 0, end = 0;
};

// True if both pictures have the same size, and equal pixels in these rows, which they have.
inline bool equal_in(const Picture& a, const Picture& b, PictureRows rows) {
  if (a.width != b.width || a.height != b.height) return false;
  if (rows.first >= rows.end) return true;
  const size_t first = size_t{rows.first} * a.width * 4, end = size_t{rows.end} * a.width * 4;
  return std::equal(a.rgba.data() + first, a.rgba.data() + end, b.rgba.data() + first);
}

// Copies rows, which `from` has, to `to`. One of another size becomes a black picture of that of `from`
// first.
inline void copy_rows(const Picture& from, PictureRows rows, Picture& to) {
  if (rows.first >= rows.end) return;
  if (from.width != to.width || from.height != to.height)
    to = {from.width, from.height, std::vector<uint8_t>(from.rgba.size())};
  const size_t first = size_t{rows.first} * from.width * 4, end = size_t{rows.end} * from.width * 4;
  std::copy(from.rgba.data() + first, from.rgba.data() + end, to.rgba.data() + first);
}

}  // namespace cutaway::arch
