#include "replay/named_surface.h"

#include <charconv>
#include <map>
#include <set>

#include "arch/ignoring_sink.h"
#include "base/error.h"
#include "base/text.h"

namespace cutaway::replay {
namespace {

// The texts of all surfaces; a later text of a surface replaces the earlier one.
struct SurfaceTexts final : arch::IgnoringSink {
  std::map<uint64_t, std::string> texts;
  void annotate(std::string_view kind, uint64_t id, std::span<const std::byte> bytes) override {
    if (kind == "surface") texts[id].assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
};

// "key=value key=value ... name=the rest", from the begin on.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // The value of the next word, which has this key; empty: it has another one.
  std::string_view value(std::string_view key) {
    if (!rest_.starts_with(key) || rest_.substr(key.size(), 1) != "=") return {};
    const std::string_view from = rest_.substr(key.size() + 1), value = from.substr(0, from.find(' '));
    rest_ = from.substr(std::min(from.size(), value.size() + 1));
    return value;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

template <class T>
bool parse_whole(std::string_view text, T& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::optional<NamedSurface> parse_surface(const std::string& text) {
  NamedSurface surface;
  Words words(text);
  const std::string_view address = words.value("address");
  if (!address.starts_with("0x") || !parse_whole(address.substr(2), surface.address, 16)) return {};
  if (!parse_whole(words.value("bytes"), surface.bytes)) return {};
  const std::string_view size = words.value("size"), width = size.substr(0, size.find('x'));
  if (width.size() == size.size() || !parse_whole(width, surface.width) ||
      !parse_whole(size.substr(width.size() + 1), surface.height))
    return {};
  surface.format = words.value("format");
  surface.tiled = words.value("tiling") == "tiled";
  if (!parse_whole(words.value("levels"), surface.levels)) return {};
  if (!parse_whole(words.value("layers"), surface.layers)) return {};
  words.value("use");
  if (words.rest().starts_with("name=")) surface.name = words.rest().substr(5);
  return surface;
}

NamedSurface find_surface(const capture::Reader& reader, const std::string& file, const std::string& name) {
  SurfaceTexts all;
  reader.annotations(all);
  constexpr size_t kMostNamed = 8;
  std::set<std::string> others;
  std::map<arch::Address, NamedSurface> found;
  for (const auto& [id, text] : all.texts) {
    const auto surface = parse_surface(text);
    if (!surface || surface->name.empty()) continue;
    if (surface->name == name) found[surface->address] = *surface;
    else if (others.size() < kMostNamed) others.insert('"' + one_line(surface->name) + '"');
  }
  if (found.size() > 1)
    user_error("{}: {} surfaces have the name \"{}\"", file, found.size(), one_line(name));
  if (found.empty())
    user_error("{}: no surface has the name \"{}\"; {}", file, one_line(name),
               others.empty() ? "the program names none (vkSetDebugUtilsObjectNameEXT)"
                              : fmt::format("surfaces with names: {}", fmt::join(others, ", ")));
  return found.begin()->second;
}

}  // namespace cutaway::replay
