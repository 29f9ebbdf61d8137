#include "replay/named_surface.h"

#include <cinttypes>
#include <cstdio>
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

std::string name_in(const std::string& text) {
  constexpr std::string_view kName = " name=";
  const size_t at = text.find(kName);
  return at == std::string::npos ? "" : text.substr(at + kName.size());
}

bool parse_surface(const std::string& text, NamedSurface& surface) {
  char format[64] = "", tiling[16] = "";
  const int found = std::sscanf(text.c_str(),
                                "address=%" SCNx64 " bytes=%" SCNu64 " size=%" SCNu32 "x%" SCNu32
                                " format=%63s tiling=%15s levels=%" SCNu32 " layers=%" SCNu32,
                                &surface.address, &surface.bytes, &surface.width, &surface.height, format,
                                tiling, &surface.levels, &surface.layers);
  surface.tiled = std::string_view(tiling) == "tiled";
  return found == 8;
}

}  // namespace

NamedSurface find_surface(const capture::Reader& reader, const std::string& path, const std::string& name) {
  SurfaceTexts all;
  reader.annotations(all);
  std::set<std::string> others;
  std::map<arch::Address, NamedSurface> found;
  for (const auto& [id, text] : all.texts) {
    NamedSurface surface;
    if (!parse_surface(text, surface)) continue;
    if (const std::string own = name_in(text); own == name) found[surface.address] = surface;
    else if (!own.empty() && others.size() < 8) others.insert('"' + one_line(own) + '"');
  }
  if (found.size() > 1)
    user_error("{}: {} surfaces have the name \"{}\"", path, found.size(), one_line(name));
  if (found.empty())
    user_error("{}: no surface has the name \"{}\"; {}", path, one_line(name),
               others.empty() ? "the program names none (vkSetDebugUtilsObjectNameEXT)"
                              : fmt::format("surfaces with names: {}", fmt::join(others, ", ")));
  return found.begin()->second;
}

}  // namespace cutaway::replay
