#include "scenes/png.h"

#include <png.h>

#include "base/error.h"

namespace cutaway::scenes {

void write_png(const std::filesystem::path& path, const arch::Picture& picture, uint32_t scale) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width * scale, image.height = picture.height * scale;
  image.format = PNG_FORMAT_RGBA;
  std::vector<uint8_t> rgba(size_t{image.width} * image.height * 4);
  for (uint32_t y = 0; y < image.height; y++)
    for (uint32_t x = 0; x < image.width; x++)
      for (uint32_t c = 0; c < 4; c++)
        rgba[(size_t{y} * image.width + x) * 4 + c] =
            picture.rgba[(size_t{y / scale} * picture.width + x / scale) * 4 + c];
  if (!png_image_write_to_file(&image, path.c_str(), 0, rgba.data(), 0, nullptr))
    user_error("{}: cannot be written", path.string());
}

}  // namespace cutaway::scenes
