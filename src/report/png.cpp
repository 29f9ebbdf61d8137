#include "report/png.h"

#include <cstddef>
#include <png.h>
#include <vector>

#include "base/error.h"
#include "base/whole_file.h"

namespace cutaway::report {

void write_png(const std::filesystem::path& path, uint32_t width, uint32_t height,
               std::span<const uint8_t> rgba) {
  const size_t pixels = size_t{width} * height;
  CUTAWAY_CHECK(rgba.size() == pixels * 4, "{} bytes for {}x{} pixels", rgba.size(), width, height);
  std::vector<uint8_t> rgb(pixels * 3);
  for (size_t i = 0; i < pixels; i++)
    for (size_t channel = 0; channel < 3; channel++) rgb[i * 3 + channel] = rgba[i * 4 + channel];
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width, image.height = height;
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> png(bytes);
  if (!png_image_write_to_memory(&image, png.data(), &bytes, 0, rgb.data(), 0, nullptr))
    user_error("{}: cannot be written ({})", path.string(), image.message);
  WholeFile file(path);
  file.append(std::span(png).first(bytes));
  file.commit();
}

}  // namespace cutaway::report
