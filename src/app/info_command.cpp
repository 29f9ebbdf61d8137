#include <map>

#include "app/commands.h"
#include "app/open_capture.h"
#include "app/terminal.h"
#include "app/text.h"
#include "arch/ignoring_sink.h"
#include "base/interrupt.h"
#include "base/text.h"

namespace cutaway::app {
namespace {

struct AnnotationCount final : arch::IgnoringSink {
  std::map<std::string, uint64_t> kinds;
  void annotate(std::string_view kind, uint64_t, std::span<const std::byte>) override {
    kinds[std::string(kind)]++;
  }
};

std::string key_text(const capture::Info::Frame& frame) {
  if (!frame.key) return "";
  if (!frame.key_raw_bytes) return "empty memory";
  return fmt::format("{} in {}", bytes_text(frame.key_raw_bytes), bytes_text(frame.key_stored_bytes));
}

// Compares the recorded data with its stored size: repeated pages are stored once, and everything is
// compressed.
void print_sizes(const capture::Info& about) {
  uint64_t raw = 0, stored = 0, key_raw = 0, key_stored = 0, keys = 0;
  for (const capture::Info::Frame& frame : about.frames) {
    raw += frame.raw_bytes, stored += frame.stored_bytes;
    key_raw += frame.key_raw_bytes, key_stored += frame.key_stored_bytes;
    keys += frame.key_raw_bytes != 0;
  }
  const auto count = static_cast<double>(about.frames.size());
  const uint64_t used = about.page_uses, kept = about.pages;
  tell("  frames: {}..{}, {} in {}, {} a frame\n", about.first_frame(), about.last_frame(), bytes_text(raw),
       bytes_text(stored), bytes_text(static_cast<uint64_t>(static_cast<double>(stored) / count)));
  tell("  key frames: {}, {} in {}\n", keys, bytes_text(key_raw), bytes_text(key_stored));
  tell("  pages: {} used, {} kept, {:.1f} uses of each\n", grouped(used), grouped(kept),
       kept ? static_cast<double>(used) / static_cast<double>(kept) : 0.0);
}

}  // namespace

int info(const CommandArguments& arguments) {
  const InterruptGuard guard;
  const capture::Reader reader = open_capture(arguments.file, true);
  const capture::Info& about = reader.info();
  AnnotationCount annotations;
  reader.annotations(annotations);
  tell("{}: {}, every checksum right; format {}, contract {}\n", arguments.file, bytes_text(about.file_bytes),
       about.format_version, about.contract_version);
  for (const auto& [name, value] : about.metadata) tell("  {}: {}\n", name, value);
  for (const auto& [kind, count] : annotations.kinds) tell("  annotations: {} {}\n", count, kind);
  print_sizes(about);
  tell("\n{:>8} {:>11} {:>14} {:>12}  {}\n", "frame", "submissions", "bytes", "in the file", "key frame");
  for (const capture::Info::Frame& frame : about.frames)
    tell("{:>8} {:>11} {:>14} {:>12}  {}\n", frame.number, frame.submissions, grouped(frame.raw_bytes),
         grouped(frame.stored_bytes), key_text(frame));
  return kOk;
}

}  // namespace cutaway::app
