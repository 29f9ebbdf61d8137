#include "capture/writer.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace cutaway::capture {
namespace {

void append(std::vector<std::byte>& to, const void* data, size_t bytes) {
  const auto* from = static_cast<const std::byte*>(data);
  to.insert(to.end(), from, from + bytes);
}

std::vector<std::byte> encode(const Metadata& metadata) {
  std::vector<std::byte> bytes;
  for (const auto& [name, value] : metadata) {
    RecordHeader header{.kind = static_cast<uint32_t>(RecordKind::kMetadata)};
    header.a = name.size(), header.b = value.size();
    append(bytes, &header, sizeof header);
    append(bytes, name.data(), name.size());
    append(bytes, value.data(), value.size());
  }
  return bytes;
}

ChunkHeader chunk(ChunkKind kind, uint64_t frame = 0, uint32_t flags = 0) {
  ChunkHeader header;
  header.kind = static_cast<uint32_t>(kind), header.frame = frame, header.flags = flags;
  return header;
}

RecordHeader bind_record(arch::ContextId context, const arch::Memory::Binding& binding) {
  return {static_cast<uint32_t>(RecordKind::kBind),
          context,
          binding.address,
          binding.bytes,
          binding.target.value_or(0),
          binding.target ? kBoundToMemory : 0};
}

RecordHeader place_record(arch::ContextId context, arch::Address address, uint64_t bytes,
                          arch::Placement placement) {
  return {static_cast<uint32_t>(RecordKind::kPlace),
          context,
          address,
          bytes,
          0,
          placement == arch::Placement::kSystem ? kPlacedInSystem : 0};
}

}  // namespace

Writer::Writer(std::filesystem::path path, WriterOptions options)
    : options_(std::move(options)), path_(path), queue_(std::move(path), options_.compression) {
  if (options_.first_frame == 0 || options_.last_frame < options_.first_frame)
    user_error("frames {}..{}: frames count from 1 and the last is not before the first",
               options_.first_frame, options_.last_frame);
  CUTAWAY_CHECK(options_.memory || (options_.first_frame == 1 && options_.key_interval == 0));
  queue_.put(chunk(ChunkKind::kMetadata), encode(options_.metadata));
}

Writer::~Writer() = default;

void Writer::map(arch::ContextId context, arch::Address address, uint64_t bytes) {
  CUTAWAY_CHECK(context < kMaxContexts && bytes <= kMaxMapBytes);
  if (!begin_event(context)) return;
  put({static_cast<uint32_t>(RecordKind::kMap), context, address, bytes});
}

void Writer::unmap(arch::ContextId context, arch::Address address, uint64_t bytes) {
  if (!begin_event(context)) return;
  put({static_cast<uint32_t>(RecordKind::kUnmap), context, address, bytes});
}

void Writer::place(arch::ContextId context, arch::Address address, uint64_t bytes,
                   arch::Placement placement) {
  if (begin_event(context)) put(place_record(context, address, bytes, placement));
}

void Writer::bind(arch::ContextId context, arch::Address address, uint64_t bytes,
                  std::optional<arch::Address> target) {
  CUTAWAY_CHECK(bytes <= kMaxMapBytes);
  if (begin_event(context)) put(bind_record(context, {address, bytes, target}));
}

void Writer::write(arch::ContextId context, arch::Address address, std::span<const std::byte> bytes) {
  if (!begin_event(context)) return;
  while (!bytes.empty()) {
    const size_t left = arch::kPageBytes - address % arch::kPageBytes;  // bytes left in this page
    const auto part = bytes.first(std::min(bytes.size(), left));
    if (part.size() == arch::kPageBytes) put_page(context, address, part);
    else put({static_cast<uint32_t>(RecordKind::kWrite), context, address, part.size()}, part);
    address += part.size();
    bytes = bytes.subspan(part.size());
  }
}

namespace {

uint64_t flags_of(const arch::Submission& submission) {
  uint64_t flags = std::min<uint64_t>(submission.ahead, kMaxAhead) << kAheadShift;
  if (submission.presents) flags |= kSubmitPresents;
  if (submission.queue == arch::QueueKind::kCompute) flags |= kSubmitCompute;
  if (submission.after) flags |= std::min(submission.id - submission.after, kMaxAfter) << kAfterShift;
  return flags;
}

}  // namespace

void Writer::submit(const arch::Submission& submission) {
  if (begin_event(submission.context)) {
    submissions_++;
    put({static_cast<uint32_t>(RecordKind::kSubmit), submission.context, submission.commands,
         submission.words, submission.id, flags_of(submission)});
  }
  if (!submission.presents) return;
  presented_ = true;
  host_nanoseconds_ = 0;
  if (!closed_ && frame_ >= options_.first_frame) {
    flush_annotations();
    flush_events(kLastOfFrame);
    queue_.flush();
  }
  const uint64_t ended = frame_++;
  frame_begun_ = false;
  if (!closed_ && ended == options_.last_frame) finish();
  if (options_.on_frame_end) options_.on_frame_end(ended);
}

void Writer::host(const arch::HostStep& step) {
  if (!begin_event(step.context)) return;
  const uint64_t nanoseconds = std::min(step.nanoseconds, kMaxHostNanoseconds - host_nanoseconds_);
  host_nanoseconds_ += nanoseconds;
  put({static_cast<uint32_t>(RecordKind::kHost), step.context, nanoseconds, step.awaited});
}

void Writer::annotate(std::string_view kind, uint64_t id, std::span<const std::byte> text) {
  if (closed_) return;
  kind = kind.substr(0, kMaxKindBytes);
  text = text.first(std::min<size_t>(text.size(), kMaxAnnotationBytes));
  const RecordHeader header{static_cast<uint32_t>(RecordKind::kAnnotate), 0, id, text.size(), kind.size()};
  append(annotations_, &header, sizeof header);
  append(annotations_, kind.data(), kind.size());
  append(annotations_, text.data(), text.size());
  if (annotations_.size() >= kChunkTargetBytes) flush_annotations();
}

void Writer::move_to(std::filesystem::path path) {
  CUTAWAY_CHECK(!closed_);
  queue_.move_to(path);
  path_ = std::move(path);
}

void Writer::close() {
  if (closed_) return;
  const uint64_t presented = frame_ - 1;
  if (!presented_ && frame_begun_) flush_events(kLastOfFrame);
  if (kept_frames_ == 0) {
    closed_ = true;
    if (!presented_ && options_.first_frame == 1)
      user_error("{}: no capture: the program ended before it gave the GPU any work", path_.string());
    user_error("{}: no capture: the program ended after frame {}: ask for frames up to that one, not from {}",
               path_.string(), std::max<uint64_t>(presented, 1), options_.first_frame);
  }
  finish();
}

void Writer::stop() {
  if (closed_) return;
  if (kept_frames_) return finish();
  closed_ = true;
}

// Returns true if the event is to be recorded. Before the first event of a frame, writes the key frame that
// is due.
bool Writer::begin_event(arch::ContextId context) {
  contexts_.insert(context);
  if (closed_ || frame_ < options_.first_frame) return false;
  if (frame_begun_) return true;
  frame_begun_ = true;
  const uint64_t since = frame_ - options_.first_frame;
  const bool due = since == 0 || (options_.key_interval && since % options_.key_interval == 0);
  if (due && frame_ > 1) write_key_frame();
  return true;
}

void Writer::put(RecordHeader header, std::span<const std::byte> first, std::span<const std::byte> second) {
  end_run();
  append(events_, &header, sizeof header);
  append(events_, first.data(), first.size());
  append(events_, second.data(), second.size());
  if (events_.size() >= kChunkTargetBytes) flush_events(0);
}

// Writes a reference to a page, and the page itself if these bytes are new.
void Writer::put_page(arch::ContextId context, arch::Address address, std::span<const std::byte> page) {
  const PageTable::Found found = table_.find(page);
  if (found.fresh) append(pages_, page.data(), page.size());
  const bool next = run_.b && run_.context == context && run_.a + run_.b == address &&
                    run_.c + run_.b / arch::kPageBytes == found.number;
  if (!next) {
    end_run();
    run_ = {static_cast<uint32_t>(RecordKind::kPages), context, address, 0, found.number};
  }
  run_.b += page.size();
  if (pages_.size() >= kMaxPageChunkBytes) flush_pages();
}

void Writer::end_run() {
  if (run_.b == 0) return;
  append(events_, &run_, sizeof run_);
  page_bytes_ += run_.b;
  run_.b = 0;
}

void Writer::flush_events(uint32_t flags) {
  end_run();
  flush_pages();  // pages must precede the records that reference them
  ChunkHeader header = chunk(events_kind_, frame_, flags);
  header.submissions = std::exchange(submissions_, 0);
  header.page_bytes = std::exchange(page_bytes_, 0);
  queue_.put(header, std::exchange(events_, {}));
  kept_frames_ += events_kind_ == ChunkKind::kEvents && flags & kLastOfFrame;
}

void Writer::flush_pages() {
  if (pages_.empty()) return;
  const uint32_t flags = events_kind_ == ChunkKind::kKeyFrame ? uint32_t{kOfKeyFrame} : 0;
  queue_.put(chunk(ChunkKind::kPages, frame_, flags), std::exchange(pages_, {}));
}

void Writer::flush_annotations() {
  if (!annotations_.empty()) queue_.put(chunk(ChunkKind::kAnnotations), std::exchange(annotations_, {}));
}

void Writer::write_key_frame() {
  events_kind_ = ChunkKind::kKeyFrame;
  for (const arch::ContextId context : contexts_) write_pages(context, options_.memory(context));
  flush_events(kLastOfFrame);
  events_kind_ = ChunkKind::kEvents;
}

// Writes maps of whole runs of pages, the places of those in system memory, what is bound, then the pages
// that are not all zeros.
void Writer::write_pages(arch::ContextId context, const arch::Memory& memory) {
  arch::Address start = 0, end = 0;
  const auto put_map = [&] {
    for (; start < end; start += std::min(end - start, kMaxMapBytes))
      put({static_cast<uint32_t>(RecordKind::kMap), context, start, std::min(end - start, kMaxMapBytes)});
  };
  memory.for_each_page([&](arch::Address address, const arch::Page&) {
    if (memory.sparse(address)) return;
    if (address != end) put_map(), start = address;
    end = address + arch::kPageBytes;
  });
  put_map();
  start = end = 0;
  const auto put_place = [&] {
    if (start < end) put(place_record(context, start, end - start, arch::Placement::kSystem));
  };
  memory.for_each_page([&](arch::Address address, const arch::Page&) {
    if (memory.sparse(address) || memory.placement(address) != arch::Placement::kSystem) return;
    if (address != end || end - start == kMaxMapBytes) put_place(), start = address;
    end = address + arch::kPageBytes;
  });
  put_place();
  for (arch::Memory::Binding binding : memory.bindings()) {
    const arch::Memory::Binding whole = binding;
    for (uint64_t done = 0; done < whole.bytes; done += binding.bytes) {
      binding.address = whole.address + done;
      if (whole.target) binding.target = *whole.target + done;
      binding.bytes = std::min(whole.bytes - done, kMaxMapBytes);
      put(bind_record(context, binding));
    }
  }
  static const arch::Page zero{};
  memory.for_each_page([&](arch::Address address, const arch::Page& page) {
    if (memory.sparse(address) || std::memcmp(page.data(), zero.data(), page.size()) == 0) return;
    put_page(context, address, page);
    if (events_.size() >= kChunkTargetBytes) flush_events(0);
  });
}

void Writer::finish() {
  closed_ = true;
  events_ = {};
  try {
    flush_annotations();
  } catch (const UserError&) {}  // the queue reports it again
  queue_.finish();
}

}  // namespace cutaway::capture
