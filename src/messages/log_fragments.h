#pragma once

#include <algorithm>

#include "messages/draw_state.h"
#include "messages/fragment_log.h"
#include "messages/messages.h"

// Functions by which boxes write to the fragment log. `log` is that of the draw's state; empty lane masks are
// not logged.
namespace cutaway::messages {

inline run_record::FragmentEvent event_of(const QuadMessage& quad, run_record::FragmentEvent::Kind kind,
                                          uint32_t lanes, uint32_t sample) {
  return {.work = quad.origin.work,
          .x = static_cast<uint16_t>(quad.x),
          .y = static_cast<uint16_t>(quad.y),
          .kind = kind,
          .lanes = static_cast<uint8_t>(lanes),
          .sample = static_cast<uint8_t>(sample)};
}

inline void log_quad(FragmentLog& log, const QuadMessage& quad, run_record::FragmentEvent::Kind kind,
                     uint32_t lanes, uint32_t sample) {
  if (lanes) log.add(event_of(quad, kind, lanes, sample));
}

// color: stored values of the written lanes; null: colors are not logged.
inline void log_written(FragmentLog& log, const QuadMessage& quad, uint32_t lanes, uint32_t target,
                        uint32_t sample, const uint32_t* color) {
  using Kind = run_record::FragmentEvent::Kind;
  run_record::FragmentEvent event = event_of(quad, color ? Kind::kWritten : Kind::kUnseen, lanes, sample);
  event.target = static_cast<uint8_t>(target);
  if (color) std::copy_n(color, 4, event.color);
  log.add(event);
}

// Logs a tile that hierarchical Z has rejected.
inline void log_tile(FragmentLog& log, const TileMessage& tile) {
  run_record::FragmentEvent event{.work = tile.origin.work,
                                  .x = static_cast<uint16_t>(tile.x),
                                  .y = static_cast<uint16_t>(tile.y),
                                  .kind = run_record::FragmentEvent::Kind::kKilledHz};
  event.set_coverage(tile.coverage);
  log.add(event);
}

}  // namespace cutaway::messages
