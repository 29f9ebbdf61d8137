#include <map>

#include "app/commands.h"
#include "app/open_capture.h"
#include "app/text.h"
#include "base/error.h"

namespace cutaway::app {
namespace {

struct AnnotationCount final : arch::CommandSink {
  std::map<std::string, uint64_t> kinds;
  void map(arch::ContextId, arch::Address, uint64_t) override {}
  void unmap(arch::ContextId, arch::Address, uint64_t) override {}
  void write(arch::ContextId, arch::Address, std::span<const std::byte>) override {}
  void submit(const arch::Submission&) override {}
  void annotate(std::string_view kind, uint64_t, std::span<const std::byte>) override {
    kinds[std::string(kind)]++;
  }
};

}  // namespace

int info(const CommandArguments& arguments) {
  const capture::Reader reader = open_capture(arguments.file);
  const capture::Info& about = reader.info();
  fmt::print("{}: {}, file version {}.{}\n", arguments.file, bytes_text(about.file_bytes),
             about.format_version, about.contract_version);
  for (const auto& [name, value] : about.metadata) fmt::print("  {}: {}\n", name, value);
  AnnotationCount annotations;
  reader.annotations(annotations);
  for (const auto& [kind, count] : annotations.kinds) fmt::print("  annotations: {} {}\n", count, kind);
  fmt::print("\n{:>8} {:>11} {:>12} {:>12}  {}\n", "frame", "submissions", "bytes", "in the file", "");
  for (const capture::Info::Frame& frame : about.frames)
    fmt::print("{:>8} {:>11} {:>12} {:>12}  {}\n", frame.number, frame.submissions, grouped(frame.raw_bytes),
               grouped(frame.stored_bytes), frame.key ? "key frame" : "");
  return kOk;
}

}  // namespace cutaway::app
