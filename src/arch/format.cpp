#include "arch/format.h"

namespace cutaway::arch {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr NumericKind numeric_kind(std::string_view suffix) {
  if (suffix.starts_with("UNORM")) return NumericKind::kUnorm;
  if (suffix.starts_with("SNORM")) return NumericKind::kSnorm;
  if (suffix.starts_with("USCALED")) return NumericKind::kUscaled;
  if (suffix.starts_with("SSCALED")) return NumericKind::kSscaled;
  if (suffix.starts_with("UINT")) return NumericKind::kUint;
  if (suffix.starts_with("SINT")) return NumericKind::kSint;
  if (suffix.starts_with("UFLOAT")) return NumericKind::kUfloat;
  if (suffix.starts_with("SFLOAT")) return NumericKind::kSfloat;
  if (suffix.starts_with("SRGB")) return NumericKind::kSrgb;
  return NumericKind::kNone;
}

constexpr FormatInfo parse_block_format(std::string_view name) {
  FormatInfo info{.name = name, .block_width = 4, .block_height = 4, .compressed = true};
  info.bytes = name.starts_with("BC1") || name.starts_with("BC4") ? 8 : 16;
  for (auto kind : {"UNORM_BLOCK", "SNORM_BLOCK", "SRGB_BLOCK", "UFLOAT_BLOCK", "SFLOAT_BLOCK"})
    if (name.ends_with(kind)) info.kind = numeric_kind(kind);
  return info;
}

// Depth in the low bits, stencil in the byte above it.
constexpr FormatInfo parse_depth_format(std::string_view name) {
  FormatInfo info{.name = name};
  if (name.find("D16") != name.npos) info.depth = {0, 16};
  if (name.find("D24") != name.npos) info.depth = {0, 24};
  if (name.find("D32") != name.npos) info.depth = {0, 32}, info.depth_float = true;
  if (name.find("S8") != name.npos) info.stencil = {info.depth.bits, 8};
  const int bits = info.depth.bits + info.stencil.bits;
  info.bytes = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
  info.kind = info.depth_float   ? NumericKind::kSfloat
              : info.has_depth() ? NumericKind::kUnorm
                                 : NumericKind::kUint;
  return info;
}

// Names such as R8G8B8A8_UNORM or A2B10G10R10_UNORM_PACK32 are complete: channels in memory order, or from
// the highest bit down if the name ends in PACKn.
constexpr FormatInfo parse_color_format(std::string_view name) {
  FormatInfo info{.name = name};
  const bool packed = name.find("_PACK") != name.npos;
  const size_t end = name.find('_');
  int total = 0;
  for (size_t i = 0; i < end;) {
    i++;
    int bits = 0;
    while (i < end && is_digit(name[i])) bits = bits * 10 + (name[i++] - '0');
    total += bits;
  }
  int from_low = 0;
  for (size_t i = 0; i < end;) {
    const char letter = name[i++];
    int bits = 0;
    while (i < end && is_digit(name[i])) bits = bits * 10 + (name[i++] - '0');
    const int offset = packed ? total - from_low - bits : from_low;
    from_low += bits;
    const FormatInfo::Channel channel{static_cast<uint8_t>(offset), static_cast<uint8_t>(bits)};
    if (letter == 'R') info.channel[0] = channel;
    if (letter == 'G') info.channel[1] = channel;
    if (letter == 'B') info.channel[2] = channel;
    if (letter == 'A') info.channel[3] = channel;
    if (letter == 'E') info.shared_exponent_bits = static_cast<uint8_t>(bits);
  }
  info.bytes = static_cast<uint8_t>(total / 8);
  info.kind = numeric_kind(name.substr(end + 1));
  return info;
}

constexpr FormatInfo parse_format(std::string_view name) {
  if (name.starts_with("BC")) return parse_block_format(name);
  if (name[0] == 'D' || name[0] == 'S' || name.starts_with("X8_D24")) return parse_depth_format(name);
  return parse_color_format(name);
}

constexpr std::array<FormatInfo, kFormats> make_table() {
  std::array<FormatInfo, kFormats> table{};
  table[0].name = "UNDEFINED";
#define X(name, value) \
  if constexpr (value < kFormats) table[value] = parse_format(#name);
  CUTAWAY_FORMATS(X)
#undef X
  return table;
}

constexpr std::array<FormatInfo, kFormats> kTable = make_table();

}  // namespace

const FormatInfo& format_info(Format format) {
  const auto number = static_cast<uint32_t>(format);
  return kTable[number < kFormats ? number : 0];
}

}  // namespace cutaway::arch
