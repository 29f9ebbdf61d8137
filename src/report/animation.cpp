#include "report/animation.h"

#include <zlib.h>

#include "base/error.h"

namespace cutaway::report {
namespace {

// Appends a number to a PNG file, highest byte first.
void put(std::string& to, uint32_t value, int bytes = 4) {
  for (int i = bytes - 1; i >= 0; i--) to += static_cast<char>(value >> 8 * i);
}

void add_chunk(std::string& file, const std::string& type, const std::string& data) {
  put(file, static_cast<uint32_t>(data.size()));
  const std::string checked = type + data;
  file += checked;
  put(file, static_cast<uint32_t>(
                crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()))));
}

// Compresses one byte per pixel; each row begins with its filter number, 0: none.
template <class F>
std::string packed(const Animation& animation, F&& value_of) {
  std::string raw;
  for (uint32_t y = 0; y < animation.height; y++) {
    raw += '\0';
    for (uint32_t x = 0; x < animation.width; x++)
      raw += static_cast<char>(value_of(animation.steps[size_t{y} * animation.width + x]));
  }
  uLongf size = compressBound(raw.size());
  std::string data(size, '\0');
  CUTAWAY_CHECK(compress(reinterpret_cast<Bytef*>(data.data()), &size,
                         reinterpret_cast<const Bytef*>(raw.data()), raw.size()) == Z_OK);
  data.resize(size);
  return data;
}

// Palette index that shows the pixel below; index 0 is step 0.
constexpr uint8_t kThrough = 255;

std::string header(const Animation& animation) {
  std::string data;
  put(data, animation.width), put(data, animation.height);
  return data + std::string{8, 3, 0, 0, 0};  // bit depth, palette colors, no interlacing
}

std::string palette(const Animation& animation) {
  std::string data;
  for (const auto& color : animation.colors)
    for (const uint8_t part : color) data += static_cast<char>(part);
  data.resize(3 * (kThrough + 1));
  return data;
}

std::string frame_control(const Animation& animation, uint32_t number, uint32_t milliseconds) {
  constexpr char kLeave = 0, kOver = 1;
  std::string data;
  put(data, number), put(data, animation.width), put(data, animation.height), put(data, 0), put(data, 0);
  put(data, milliseconds, 2), put(data, 1000, 2);
  return data + kLeave + kOver;
}

}  // namespace

std::string animated_png(const Animation& animation) {
  const auto steps = static_cast<uint32_t>(animation.colors.size());
  CUTAWAY_CHECK(animation.steps.size() == size_t{animation.width} * animation.height);
  CUTAWAY_CHECK(steps <= kThrough && animation.milliseconds.size() == steps, "{} steps", steps);
  std::string file = "\x89PNG\r\n\x1a\n";
  add_chunk(file, "IHDR", header(animation));
  std::string frames;
  put(frames, steps), put(frames, 0);  // repeats endlessly
  add_chunk(file, "acTL", frames);
  add_chunk(file, "PLTE", palette(animation));
  add_chunk(file, "tRNS", std::string(kThrough, '\xff') + '\0');
  add_chunk(file, "IDAT", packed(animation, [](uint8_t step) { return step; }));
  for (uint32_t step = 0, number = 0; step < steps; step++) {
    add_chunk(file, "fcTL", frame_control(animation, number++, animation.milliseconds[step]));
    std::string data;
    put(data, number++);
    // The first frame is the complete picture; in later frames each pixel is transparent except in its own
    // step.
    data += packed(animation, [&](uint8_t of) { return of == step ? of : step ? kThrough : uint8_t{0}; });
    add_chunk(file, "fdAT", data);
  }
  add_chunk(file, "IEND", "");
  return file;
}

}  // namespace cutaway::report
