#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/run_reader.h"
#include "run_record/draw_view.h"

namespace cutaway::report {

// Where pictures of targets, meshes and textures of draws come from.
struct PictureSource {
  struct Result {
    std::string remark;        // the reason that there are none, or that they may be wrong; "": all is well
    uint64_t memory_hash = 0;  // of all GPU memory after the frame; 0: it was not emulated
  };
  // Puts those of a frame into the sink. Empty: there is no source, and `remark` says why.
  std::function<Result(RunReader& run, uint64_t frame, run_record::DrawViewSink& sink)> frame;
  std::string remark;
  size_t most_bytes = 0;  // of the page
};

// Adds the "views" of each frame of a run. Appends pictures (PNG) and meshes (gzip) to `lines`, in base64.
// room: bytes that they may have; reduced by what they take.
void add_draw_views(const std::filesystem::path& run, const PictureSource& source, size_t& room,
                    nlohmann::json& data, std::vector<std::string>& lines);

}  // namespace cutaway::report
