#include "probe/pictures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "base/xml.h"
#include "probe/cases.h"

namespace cutaway::probe {
namespace {

constexpr uint32_t kUsualStep = 50, kLeastStep = 20, kStandstill = 1500;  // milliseconds per step

uint8_t byte(double value) { return static_cast<uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0))); }

// hue: 0 to 1, once around from red over green and blue.
Color color(double hue, double value) {
  const auto part = [&](double middle) {
    const double away = std::abs(std::remainder(hue - middle, 1.0));
    return byte(value * std::min(1.0, 2 - 6 * away));
  };
  return {part(0), part(1.0 / 3), part(2.0 / 3)};
}

}  // namespace

std::vector<uint8_t> steps_of(const Order& order) {
  std::vector<uint8_t> steps;
  for (const Order::Pixel& pixel : order.pixels)
    steps.push_back(pixel.rank ? static_cast<uint8_t>(1 + uint64_t{pixel.rank - 1} * kSteps / order.fragments)
                               : 0);
  return steps;
}

Color color_of_step(uint32_t step) {
  if (!step) return {};
  const double share = (step - 1.0) / (kSteps - 1);
  return color((1 - share) * 2 / 3, 0.55 + 0.45 * share);
}

std::vector<uint32_t> step_durations(const Order& order) {
  std::vector<uint32_t> durations(kSteps + 1, kUsualStep);
  durations.back() = kStandstill;
  if (order.units.empty()) return durations;
  std::vector<uint64_t> ends(kSteps + 1);
  const std::vector<uint8_t> steps = steps_of(order);
  for (size_t i = 0; i < steps.size(); i++) ends[steps[i]] = std::max(ends[steps[i]], order.pixels[i].time);
  std::vector<double> lengths;
  for (uint32_t step = 1; step <= kSteps; step++) {
    ends[step] = std::max(ends[step], ends[step - 1]);  // later drawing may cover all pixels of a step
    lengths.push_back(static_cast<double>(ends[step] - ends[step - 1]));
  }
  std::vector<double> sorted = lengths;
  std::ranges::sort(sorted);
  const double usual = std::max(1.0, sorted[kSteps / 2]);
  for (uint32_t step = 1; step < kSteps; step++)
    durations[step] = static_cast<uint32_t>(
        std::clamp<double>(lengths[step] / usual * kUsualStep, kLeastStep, kStandstill));
  return durations;
}

Standstill standstill_of(const Order& order) {
  std::vector<uint64_t> times;
  for (const Order::Pixel& pixel : order.pixels)
    if (pixel.rank) times.push_back(pixel.time);
  std::ranges::sort(times);
  Standstill found{steps_of(order), 0, 0};
  uint64_t before = 0;
  for (size_t i = 1; i < times.size(); i++)
    if (times[i] - times[i - 1] > found.cycles) {
      found.cycles = times[i] - times[i - 1], before = times[i];
      found.fragments = static_cast<uint32_t>(i);
    }
  for (size_t i = 0; i < order.pixels.size(); i++)
    if (order.pixels[i].time >= before) found.steps[i] = 0;
  return found;
}

std::vector<uint8_t> units_picture(const Order& order, uint32_t units_per_cluster) {
  const auto clusters =
      std::max<double>(1, std::ceil(static_cast<double>(order.units.size()) / units_per_cluster));
  std::vector<uint8_t> rgba;
  for (const Order::Pixel& pixel : order.pixels) {
    Color made{};
    if (pixel.rank)
      made = color(pixel.unit / units_per_cluster / clusters,
                   1 - 0.55 * (pixel.unit % units_per_cluster) / units_per_cluster);
    rgba.insert(rgba.end(), {made[0], made[1], made[2], 255});
  }
  return rgba;
}

std::string picture_page(std::string_view machine, const std::vector<Caption>& captions) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n"
      "<html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title>\n"
      "<style>body {{ font-family: sans-serif; margin: 2em; }} figure {{ margin: 0 0 2em; }}\n"
      "figcaption {{ margin: 0 0 0.5em; }}\n"
      "img {{ width: 384px; image-rendering: pixelated; margin-right: 8px; }}</style>\n"
      "<h1>{0}: in which order the fragments ended</h1>\n"
      "<p><b>order</b>: from blue over green to red; <b>animation</b>: the same as it went; "
      "<b>standstill</b>: what there was while a slow fragment held all others up; <b>units</b>: who shaded "
      "it last, a color for each cluster and a shade for each of its units.</p>\n",
      xml_text(machine));
  for (const Caption& each : captions) {
    page += fmt::format("<figure><figcaption><b>{}</b>: {}{}{}</figcaption>\n", each.name,
                        xml_text(each.what), each.note.empty() ? "" : "; ", xml_text(each.note));
    for (const std::string& picture : each.pictures)
      page += fmt::format("<img src=\"{0}-{1}.png\" alt=\"{1}\" title=\"{1}\">\n", each.name, picture);
    page += "</figure>\n";
  }
  return page + "</html>\n";
}

}  // namespace cutaway::probe
