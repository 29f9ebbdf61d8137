#include "app/probe_pictures.h"

#include "app/open_capture.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "probe/pictures.h"
#include "replay/simulation.h"
#include "report/animation.h"
#include "report/png.h"

namespace cutaway::app {
namespace {

namespace fs = std::filesystem;

using Steps = std::vector<uint8_t>;

std::vector<uint8_t> colored(const Steps& steps, const std::vector<probe::Color>& colors) {
  std::vector<uint8_t> rgba;
  for (const uint8_t step : steps) {
    const probe::Color& color = colors[step];
    rgba.insert(rgba.end(), {color[0], color[1], color[2], 255});
  }
  return rgba;
}

// Draws the pictures of one case after the other.
class Painter {
 public:
  Painter(const fs::path& folder, uint32_t units_per_cluster)
      : folder_(folder), units_per_cluster_(units_per_cluster) {
    for (uint32_t step = 0; step <= probe::kSteps; step++) colors_.push_back(probe::color_of_step(step));
  }

  probe::Caption paint(const probe::Case& of, const probe::Order& order) {
    probe::Caption caption{of.name, of.what, "", {"order", "animation"}};
    const auto file = [&](const char* kind) { return folder_ / (of.name + "-" + kind + ".png"); };
    const auto write = [&](const char* kind, const std::vector<uint8_t>& rgba) {
      report::write_png(file(kind), probe::kWindow, probe::kWindow, rgba);
    };
    const Steps steps = probe::steps_of(order);
    write("order", colored(steps, colors_));
    write_whole(file("animation"), report::animated_png({.width = probe::kWindow,
                                                         .height = probe::kWindow,
                                                         .steps = steps,
                                                         .colors = colors_,
                                                         .milliseconds = probe::step_durations(order)}));
    const bool few =
        of.slowness.where != probe::Where::kEachSubTile && of.slowness.where != probe::Where::kLines;
    if (!of.slowness.at.empty() && few && !order.units.empty()) {
      const probe::Standstill still = probe::standstill_of(order);
      write("standstill", colored(still.steps, colors_));
      caption.note = fmt::format("it stands still after {} fragments, for {} cycles",
                                 grouped(still.fragments), grouped(still.cycles));
      if (of.slowness.at.size() == 1)
        caption.note += fmt::format("; {} fragments that were drawn after the slow one ended before it",
                                    grouped(probe::ended_past(order, of.slowness.at.front())));
      caption.pictures.push_back("standstill");
    }
    if (!order.units.empty()) {
      write("units", probe::units_picture(order, units_per_cluster_));
      caption.pictures.push_back("units");
    }
    return caption;
  }

 private:
  const fs::path& folder_;
  const uint32_t units_per_cluster_;
  std::vector<probe::Color> colors_;
};

}  // namespace

probe::Order watch_order(const fs::path& capture, const machine::Config& config,
                         const std::function<void(uint64_t cycles, double share)>& on_progress) {
  const capture::Reader reader = open_capture(capture.string());
  replay::ClockOptions options;
  options.on_progress = on_progress;
  machine::ObserverOptions& observer = options.observe.emplace();
  observer.units = false;
  observer.most_cycles = ~uint64_t{0} / 1'000'000;
  observer.keep = [](const run_record::Timeline::Thing& thing) {
    return thing.kind == run_record::Timeline::Thing::Kind::kQuad;
  };
  return probe::order_of(replay::observe(reader, reader.info().first_frame(), config, options));
}

fs::path write_pictures(const std::vector<const probe::Case*>& cases, const std::string& machine,
                        uint32_t units_per_cluster, const fs::path& folder,
                        const std::function<probe::Order(const probe::Case&)>& order_of) {
  fs::create_directories(folder);
  Painter painter(folder, units_per_cluster);
  std::vector<probe::Caption> captions;
  for (const probe::Case* each : cases) captions.push_back(painter.paint(*each, order_of(*each)));
  write_whole(folder / "index.html", probe::picture_page(machine, captions));
  return folder / "index.html";
}

}  // namespace cutaway::app
