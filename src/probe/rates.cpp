#include "probe/rates.h"

#include <algorithm>

#include "probe/rates_parts.h"

namespace cutaway::probe {
namespace {

std::vector<Rate> all_rates() {
  std::vector<Rate> made;
  add_fill(made);
  add_textures(made);
  add_triangles(made);
  add_arithmetic(made);
  add_branches(made);
  add_hidden_costs(made);
  add_reads(made);
  made.push_back({.name = "E1.6-window",
                  .what = "pixels that the rasteriser draws past a slow one, by time",
                  .unit = "pixels",
                  .beside = "",
                  .window = "E1.6"});
  for (const char* size : {"32", "16", "8"})
    made.push_back({.name = std::string("E2.2-window-") + size,
                    .what = std::string("the same, of squares of ") + size + " pixels",
                    .unit = "pixels",
                    .beside = "",
                    .window = std::string("E2.2-squares-") + size});
  return made;
}

}  // namespace

const std::vector<Rate>& rates() {
  static const std::vector<Rate> made = all_rates();
  return made;
}

const Rate* find_rate(std::string_view name) {
  const auto found = std::ranges::find(rates(), name, &Rate::name);
  return found == rates().end() ? nullptr : &*found;
}

std::vector<Point> vertices_of(const RateDraw& draw) {
  constexpr float kEdge = kWindow;
  if (!draw.triangles) return {{0, 0}, {2 * kEdge, 0}, {0, 2 * kEdge}};
  std::vector<Point> made;
  if (draw.apart) {
    for (uint32_t i = 0; i < draw.triangles; i++) made.insert(made.end(), {{0, 0}, {8, 0}, {0, 8}});
    return made;
  }
  // A strip of squares, in rows that go right and back; back-facing ones in one long row.
  const auto side = static_cast<float>(draw.side);
  const uint32_t columns = draw.side ? kWindow / draw.side : draw.triangles;
  const float width = draw.side ? side : kEdge / static_cast<float>(draw.triangles),
              height = draw.side ? side : 8;
  for (uint32_t i = 0; i < draw.triangles + 2; i++) {
    const uint32_t row = i / 2 / columns, along = i / 2 % columns;
    const uint32_t column = row % 2 ? columns - 1 - along : along;
    const float x = width * static_cast<float>(column), y = height * static_cast<float>(row % columns);
    made.push_back({x, i % 2 == (draw.side ? 1 : 0) ? y + height : y});
  }
  return made;
}

}  // namespace cutaway::probe
