#include "report/page/draw_view_data.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>

#include "report/page/base64.h"
#include "report/page/compressed.h"
#include "report/png.h"
#include "run_record/frame_record.h"

namespace cutaway::report {
namespace {

using nlohmann::json;
using run_record::DrawName;

// A table as columns.
class Columns {
 public:
  explicit Columns(std::initializer_list<const char*> names) {
    for (const char* name : names) json_[name] = json::array();
  }
  void add(std::initializer_list<std::pair<const char*, json>> row) {
    for (const auto& [name, value] : row) json_.at(name).push_back(value);
  }
  json take() { return std::move(json_); }

 private:
  json json_ = json::object();
};

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Collects the views of a frame. Draws that its database does not have are left out.
class FrameViews final : public run_record::DrawViewSink {
 public:
  FrameViews(const std::vector<RunReader::Work>& work, size_t& room, std::vector<std::string>& lines)
      : room_(room), lines_(lines) {
    for (const RunReader::Work& w : work)
      if (w.kind == "draw" && w.draw) work_[{w.submission, *w.draw}] = w.work;
  }

  void target(const run_record::ViewedSurface& surface) override { add_surface(targets_, surface); }

  void change(run_record::ViewedChange&& change) override {
    const auto work = work_of(change.draw);
    if (!work) return;
    const size_t line = add_line(base64(text_of(png_of(change.width, change.height, change.rgba, true))));
    changes_.add({{"work", *work},
                  {"before", change.before},
                  {"target", change.target},
                  {"x", change.x},
                  {"y", change.y},
                  {"width", change.width},
                  {"height", change.height},
                  {"line", line}});
  }

  void mesh(run_record::ViewedMesh&& mesh) override {
    const auto work = work_of(mesh.draw);
    if (!work) return;
    std::string bytes(mesh.positions.size() * sizeof(float) + mesh.indices.size() * sizeof(uint32_t), '\0');
    std::memcpy(bytes.data(), mesh.positions.data(), mesh.positions.size() * sizeof(float));
    std::memcpy(bytes.data() + mesh.positions.size() * sizeof(float), mesh.indices.data(),
                mesh.indices.size() * sizeof(uint32_t));
    meshes_.add({{"work", *work},
                 {"corners", mesh.corners},
                 {"vertices", mesh.positions.size() / 4},
                 {"primitives", mesh.indices.size() / mesh.corners},
                 {"left_out", mesh.left_out},
                 {"scale", mesh.scale},
                 {"offset", mesh.offset},
                 {"line", add_line(base64(compressed(bytes)))}});
  }

  void texture(const run_record::ViewedTexture& texture) override {
    const run_record::ViewedSurface& shown = texture.surface;
    add_surface(textures_, shown);
    pictures_.add(
        {{"full_width", texture.width},
         {"full_height", texture.height},
         {"level", texture.level},
         {"line", add_line(base64(text_of(png_of(shown.width, shown.height, texture.rgba, false))))}});
  }

  void use(const DrawName& draw, uint32_t stage, uint32_t binding, uint32_t texture) override {
    if (const auto work = work_of(draw))
      uses_.add({{"work", *work},
                 {"stage", run_record::kProgramStages.at(stage)},
                 {"binding", binding},
                 {"texture", texture}});
  }

  bool full() override {
    refused_ |= taken_ > room_;
    return taken_ > room_;
  }

  json take(std::string remark) {
    room_ -= std::min(room_, taken_);
    json textures = textures_.take();
    textures.update(pictures_.take());
    return {{"remark", remark.empty() ? json(nullptr) : json(remark)},
            {"last", refused_ ? json(last_) : json(nullptr)},
            {"targets", targets_.take()},
            {"changes", changes_.take()},
            {"meshes", meshes_.take()},
            {"textures", textures},
            {"uses", uses_.take()}};
  }

 private:
  static void add_surface(Columns& columns, const run_record::ViewedSurface& surface) {
    columns.add({{"address", fmt::format("{:#x}", surface.address)},
                 {"format", surface.format},
                 {"width", surface.width},
                 {"height", surface.height},
                 {"samples", surface.samples},
                 {"depth", surface.depth}});
  }
  std::optional<uint32_t> work_of(const DrawName& draw) {
    const auto found = work_.find({draw.submission, draw.draw});
    if (found == work_.end()) return std::nullopt;
    last_ = std::max(last_, found->second);
    return found->second;
  }
  size_t add_line(std::string line) {
    taken_ += line.size();
    lines_.push_back(std::move(line));
    return lines_.size();
  }

  size_t &room_, taken_ = 0;
  std::vector<std::string>& lines_;
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> work_;
  uint32_t last_ = 0;     // work with a view
  bool refused_ = false;  // a draw, for want of room
  Columns targets_{"address", "format", "width", "height", "samples", "depth"};
  Columns textures_ = targets_;
  Columns pictures_{"full_width", "full_height", "level", "line"};
  Columns changes_{"work", "before", "target", "x", "y", "width", "height", "line"};
  Columns meshes_{"work", "corners", "vertices", "primitives", "left_out", "scale", "offset", "line"};
  Columns uses_{"work", "stage", "binding", "texture"};
};

}  // namespace

void add_draw_views(const std::filesystem::path& path, const PictureSource& source, size_t& room, json& data,
                    std::vector<std::string>& lines) {
  RunReader run(path);
  for (json& frame : data["frames"]) {
    const auto number = frame["frame"].get<uint64_t>();
    FrameViews views(run.work(number), room, lines);
    std::string remark = source.remark;
    if (source.frame && room == 0) remark = "The page has no more room for pictures.";
    else if (source.frame) {
      const PictureSource::Result result = source.frame(run, number, views);
      remark = result.remark;
      if (result.memory_hash &&
          fmt::format("{:016x}", result.memory_hash) != frame["totals"]["memory_hash"][0].get<std::string>())
        remark = "The capture leaves other memory than the run had after this frame: pictures may differ.";
    }
    frame["views"] = views.take(remark);
  }
}

}  // namespace cutaway::report
