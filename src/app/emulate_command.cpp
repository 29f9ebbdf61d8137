#include <optional>

#include "app/commands.h"
#include "app/open_capture.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "replay/seeker.h"
#include "report/output_folder.h"
#include "report/png.h"
#include "report/progress.h"

namespace cutaway::app {

int emulate(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const capture::Reader reader = open_capture(arguments.file);
  const FrameRange frames = frames_of(reader, arguments.file, arguments.frames);
  report::Progress progress(arguments.quiet);
  std::optional<report::OutputFolder> out;
  if (!arguments.out.empty()) out.emplace(arguments.out);

  if (arguments.primitives && !out) user_error("--primitives needs a folder for its pictures: --out DIR");
  replay::Seeker seeker(
      reader, frames.first,
      {.primitives = arguments.primitives, .threads = arguments.threads, .on_frame = [&](uint64_t frame) {
         progress.update(-1, fmt::format("emulating frame {}, up to frame {}", frame, frames.first));
       }});
  std::string table;
  double seconds = 0;
  while (seeker.frame() <= frames.last) {
    const uint64_t count = frames.last - frames.first + 1, ended = seeker.frame() - frames.first;
    progress.update(static_cast<double>(ended) / static_cast<double>(count),
                    fmt::format("emulating frame {}", seeker.frame()));
    const replay::EmulatedFrame frame = seeker.step();
    seconds += frame.seconds;
    if (out && frame.picture)
      report::write_png(out->staged(fmt::format("frames/{:04}.png", frame.frame)), frame.picture->width,
                        frame.picture->height, frame.picture->rgba);
    if (out && frame.primitives)
      report::write_png(out->staged(fmt::format("primitives/{:04}.png", frame.frame)),
                        frame.primitives->width, frame.primitives->height, frame.primitives->rgba);
    const emulator::Statistics& s = frame.statistics;
    table += fmt::format("{:>6} {:>8} {:>12} {:>12} {:>14} {:>14} {:>16}  {:016x}\n", frame.frame,
                         grouped(s.draws), grouped(s.vertices_shaded), grouped(s.primitives_in),
                         grouped(s.fragments), grouped(s.fragments_written),
                         grouped(s.vertex_instructions + s.fragment_instructions), seeker.memory().hash());
  }
  progress.clear();
  if (out) out->commit(), note_result(out->path());
  tell("{:>6} {:>8} {:>12} {:>12} {:>14} {:>14} {:>16}  {}\n", "frame", "draws", "vertices", "primitives",
       "fragments", "written", "instructions", "memory");
  tell_lines(table);
  const uint64_t count = frames.last - frames.first + 1;
  tell("\n{} in {:.2f} s on the emulator\n", counted(count, "frame"), seconds);
  if (out) tell("pictures: {}\n", out->pictures());
  return kOk;
}

}  // namespace cutaway::app
