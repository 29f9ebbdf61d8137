#include "app/draw_pictures.h"

#include "app/open_capture.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "replay/draw_views.h"
#include "replay/seeker.h"

namespace cutaway::app {
namespace {

// Walks through the captures of runs, which ask for their frames in rising order.
class CaptureWalk {
 public:
  explicit CaptureWalk(std::string capture) : given_(std::move(capture)) {}

  report::PictureSource::Result frame(report::RunReader& run, uint64_t frame,
                                      run_record::DrawViewSink& sink) {
    if (run.is_shared())
      return {.remark = "Pictures of draws are made for runs of one program; this one is of several."};
    const std::string path = given_.empty() ? run.fact("capture") : given_;
    try {
      seek(path, frame);
      recorder_.record_into(&sink);
      seeker_->step();
      recorder_.record_into(nullptr);
      return {.remark = {}, .memory_hash = seeker_->memory().hash()};
    } catch (const UserError& error) {
      end_if_interrupted();
      recorder_.record_into(nullptr);
      seeker_.reset(), reader_.reset();
      std::error_code missing;
      if (!path.empty() && std::filesystem::exists(path, missing))
        return {.remark = fmt::format("Pictures end early: {}.", one_line(error.what()))};
      return {.remark =
                  fmt::format("The capture {} is not there: `cutaway report --capture FILE` names its new "
                              "place.",
                              one_line(path))};
    }
  }

 private:
  void seek(const std::string& path, uint64_t frame) {
    if (!reader_ || path != path_) {
      seeker_.reset();
      reader_.reset(new capture::Reader(open_capture(path)));
      path_ = path;
      frames_of(*reader_, path, FrameRange{frame, frame});
    }
    if (!seeker_ || seeker_->frame() > frame || reader_->start_for(frame) > seeker_->frame())
      seeker_.emplace(*reader_, frame,
                      replay::SeekerOptions{.threads = 0, .on_work = {}, .draw_observer = &recorder_});
    while (seeker_->frame() < frame) seeker_->step();
  }

  std::string given_, path_;
  std::unique_ptr<const capture::Reader> reader_;
  std::optional<replay::Seeker> seeker_;
  replay::DrawViewRecorder recorder_;
};

}  // namespace

report::PictureSource draw_pictures(const std::string& capture, size_t most_bytes) {
  report::PictureSource source{.most_bytes = most_bytes};
  if (!most_bytes) {
    source.remark = "The page was made with --pictures 0.";
    return source;
  }
  const auto walk = std::make_shared<CaptureWalk>(capture);
  source.frame = [walk](report::RunReader& run, uint64_t frame, run_record::DrawViewSink& sink) {
    return walk->frame(run, frame, sink);
  };
  return source;
}

}  // namespace cutaway::app
