// Random submissions of a graphics queue and a compute queue, which share memory and follow one another where
// they must, leave the emulator's memory on machines that run them side by side.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "gpu_run.h"
#include "random_machine.h"
#include "scenes/parts.h"

namespace cutaway::random_queues_test {
namespace {

using arch::Opcode;
using arch::QueueKind;
using scenes::bits;

constexpr uint32_t kSize = 32, kWords = kSize * kSize, kGroup = 64;

// A scene of random submissions. Each names what it uses, from which follows what it must wait for: by
// `after`, or because the host has seen the end of submissions.
class RandomScene {
 public:
  explicit RandomScene(uint32_t seed) : random_(seed), b_("random-queues", kSize, kSize) {
    b_.stores = true;
    for (uint32_t i = 0; i < kImages; i++)
      things_.push_back({.surface = b_.surface(arch::Format::R8G8B8A8_UNORM, kSize, kSize)});
    things_.push_back({.surface = b_.surface(arch::Format::D32_SFLOAT, kSize, kSize)});
    for (uint32_t i = 0; i <= kDepth; i++) things_[i].address = things_[i].surface.address;
    // Buffers, then values, which share cache lines.
    const arch::Address buffers = b_.allocate(kBuffers * 4 * kWords + kBuffers * 48);
    for (uint32_t i = 0; i < kBuffers; i++)
      things_.push_back({.address = buffers + i * (4 * kWords + (seed % 2 ? 0 : 48))});
    const arch::Address values = b_.allocate(kValues * 8 + 64 * kSlots, 256);
    for (uint32_t i = 0; i < kValues; i++) things_.push_back({.address = values + i * 8});
    for (uint32_t i = 0; i < kSlots; i++)
      things_.push_back({.address = values + kValues * 8 + i * uint64_t{32}});
    for (uint32_t i = 0; i < kArguments; i++) things_.push_back({.address = b_.allocate(16, 16)});
  }

  scenes::Scene make(uint32_t submissions) {
    for (id_ = 1; id_ <= submissions; id_++) submission(id_ == submissions || chance(12));
    return b_.take();
  }

 private:
  enum : uint32_t {
    kImages = 3,
    kDepth = kImages,
    kFirstBuffer,
    kBuffers = 3,
    kFirstValue = kFirstBuffer + kBuffers,
    kValues = 4,
    kFirstSlot = kFirstValue + kValues,
    kSlots = 3,
    kFirstArguments = kFirstSlot + kSlots,
    kArguments = 2
  };
  // Memory, and the last submission of each queue that wrote it, and that used it.
  struct Thing {
    arch::Address address = 0;
    arch::Surface surface{};
    std::array<uint64_t, arch::kQueues> written{}, used{};
    bool read_here = false, written_here = false;  // in this submission, since its last barrier
    uint64_t value = 0;
  };

  uint32_t below(uint32_t end) { return random_.next() % end; }
  bool chance(uint32_t of) { return below(of) == 0; }
  uint32_t image() { return below(kImages); }
  uint32_t buffer() { return kFirstBuffer + below(kBuffers); }
  uint32_t image_or_buffer() { return chance(2) ? image() : buffer(); }
  bool draws() const { return queue_ == QueueKind::kGraphics; }

  // Notes what the next work uses, behind a barrier if this submission has used it in another way.
  void use(std::initializer_list<uint32_t> read, std::initializer_list<uint32_t> written) {
    const size_t own = static_cast<size_t>(queue_), other = 1 - own;
    bool barrier = chance(8);
    for (const uint32_t i : read) barrier |= things_[i].written_here;
    for (const uint32_t i : written) barrier |= things_[i].written_here || things_[i].read_here;
    if (barrier) {
      b_.flush();
      for (Thing& thing : things_) thing.read_here = thing.written_here = false;
    }
    for (const uint32_t i : read) {
      needed_ = std::max(needed_, things_[i].written[other]);
      things_[i].used[own] = id_, things_[i].read_here = true;
    }
    for (const uint32_t i : written) {
      needed_ = std::max(needed_, things_[i].used[other]);
      things_[i].written[own] = things_[i].used[own] = id_, things_[i].written_here = true;
    }
  }

  void submission(bool presents) {
    queue_ = presents || chance(2) ? QueueKind::kGraphics : QueueKind::kCompute;
    needed_ = 0;
    for (Thing& thing : things_) thing.read_here = thing.written_here = false;
    const uint64_t host = chance(5) ? host_write() : 0;
    b_.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
    b_.registers.query.statistics = chance(2);
    for (uint32_t works = 1 + below(4); works; works--) work();
    if (presents) {
      const uint32_t shown = image();
      use({shown}, {});
      b_.target(things_[shown].surface);
    }
    follow(host);
    if (presents) return b_.end_frame();
    if (chance(2)) return b_.submit_called();
    b_.flush();
    b_.submit(false);
  }

  // Chooses how the submission waits for the other queue: by `after`, or the host has waited.
  void follow(uint64_t host) {
    uint64_t& followed = followed_[static_cast<size_t>(queue_)];
    uint64_t seen = std::max(seen_, host);
    if (chance(3)) seen = std::max(seen, uint64_t{below(static_cast<uint32_t>(id_))});
    b_.after = 0;
    if (needed_ > std::max(followed, seen)) {
      if (chance(4)) seen = needed_;
      else b_.after = needed_ + (chance(4) ? below(static_cast<uint32_t>(id_ - needed_)) : 0);
    } else if (chance(8)) {
      b_.after = below(static_cast<uint32_t>(id_));
    }
    followed = std::max(followed, b_.after);
    seen_ = std::max(seen_, seen);
    b_.ahead = static_cast<uint32_t>(id_ - 1 - seen);
    b_.queue = queue_;
  }

  // The host writes words of a buffer. Returns the last submission that it must have seen end.
  uint64_t host_write() {
    const Thing& thing = things_[buffer()];
    std::vector<float> words(16 + below(64));
    for (float& word : words) word = bits(random_.next());
    b_.overwrite(thing.address + 4 * below(kWords - 80), words);
    return std::max(thing.used[0], thing.used[1]);
  }

  void work() {
    switch (below(draws() ? 14 : 10)) {
      case 0:
      case 1:
        return compute(image_or_buffer(), image_or_buffer(), chance(3));
      case 2:
        return copy_surface();
      case 3:
        return copy_buffer();
      case 4:
        return fill();
      case 5:
        return clear();
      case 6:
        return signal();
      case 7:
        return wait();
      case 8:
        return query();
      case 9:
        return arguments();
      default:
        return draw();
    }
  }

  // Each word of a part of `to`: a number of a random sequence that begins with its index, plus the word of
  // `from`, plus four constants that may lie in memory that the GPU has written.
  void compute(uint32_t to, uint32_t from, bool indirect) {
    if (to == from) return;
    const uint32_t constants = buffer(), groups = kFirstArguments + below(kArguments);
    if (constants == to) return;
    if (indirect) use({from, constants, groups}, {to});
    else use({from, constants}, {to});
    b_.registers.compute = {{kGroup, 1, 1}, 64};
    b_.constants(arch::Stage::kCompute, 0,
                 {bits(kGroup), bits(1664525), bits(1013904223), bits(1 + below(40)), bits(2), bits(1),
                  bits(0), bits(below(kGroup))});
    b_.commands.packet(Opcode::kLoadConstants,
                       arch::LoadPacket{static_cast<uint32_t>(arch::Stage::kCompute), 2, 1,
                                        (things_[constants].address + 16 * below(8)) / 16 * 16 + 16});
    b_.program(arch::Stage::kCompute,
               "IMUL r0.x, i33.x, c0.x\n"
               "IADD r0.x, r0.x, i32.w\n"
               "IADD r0.x, r0.x, c1.w\n"
               "SHL r2.x, r0.x, c1.x\n"
               "LDB r1.x, r2.x, t1\n"
               "IADD r1.x, r1.x, r0.x\n"
               "IADD r1.x, r1.x, c2.y\n"
               "MOV r3.x, c1.z\n"
               "LOOP\n"
               "IMUL r1.x, r1.x, c0.y\n"
               "IADD r1.x, r1.x, c0.z\n"
               "IADD r3.x, r3.x, c1.y\n"
               "IGE r4.x, r3.x, c0.w\n"
               "BRK r4.x\n"
               "NEXT\n"
               "ENDLOOP\n"
               "STB _.x, r2.x, r1.x, t0\n"
               "END\n",
               arch::kShaderWritesMemory);
    b_.textures(std::array{scenes::raw_buffer(things_[to].address, 4 * kWords),
                           scenes::raw_buffer(things_[from].address, 4 * kWords)},
                {}, arch::Stage::kCompute);
    b_.send_state();
    if (indirect)
      b_.commands.packet(Opcode::kDispatchIndirect, arch::DispatchIndirectPacket{things_[groups].address});
    else b_.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1 + below(kWords / kGroup), 1, 1}, {}});
  }

  // A strip of the target from a texture, with or without depth.
  void draw() {
    const uint32_t to = image(), from = (to + 1 + below(kImages - 1)) % kImages;
    const bool with_depth = chance(3);
    if (with_depth) use({from}, {to, kDepth});
    else use({from}, {to});
    b_.target(things_[to].surface);
    b_.depth(with_depth ? things_[kDepth].surface : arch::Surface{});
    b_.registers.depth.depth_test = b_.registers.depth.depth_write = 0;
    if (with_depth) scenes::depth_test(b_, arch::Compare::kGreater);
    scenes::textured_programs(b_);
    b_.textures(std::array{things_[from].surface}, std::array{scenes::sampler(arch::Filter::kNearest)});
    b_.registers.assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleStrip);
    const float left = random_.between(-1, 0.8f), right = left + random_.between(0, 1);
    const float z = random_.between(0, 1);
    b_.vertices({left, -1, z, 1, 0, 0, right, -1, z, 1, 1, 0, left, 1, z, 1, 0, 1, right, 1, z, 1, 1, 1},
                {4, 2});
    b_.draw(4, 1 + below(2));
  }

  void copy_surface() {
    const uint32_t to = image(), from = (to + 1 + below(kImages - 1)) % kImages;
    const uint32_t from_x = below(kSize), to_x = below(kSize), y = below(kSize);
    use({from}, {to});
    b_.commands.packet(Opcode::kCopySurface,
                       arch::CopySurfacePacket{things_[from].surface, things_[to].surface, from_x, y, 0, to_x,
                                               0, 0, kSize - std::max(from_x, to_x), kSize - y, 1, 0});
  }

  void copy_buffer() {
    const uint32_t to = image_or_buffer(), from = image_or_buffer();
    if (to == from) return;
    use({from}, {to});
    const uint32_t first = below(kWords), last = below(kWords);
    b_.commands.packet(Opcode::kCopyBuffer,
                       arch::CopyBufferPacket{things_[from].address + 4 * uint64_t{first},
                                              things_[to].address + 4 * uint64_t{last},
                                              4 * uint64_t{kWords - std::max(first, last)}});
  }

  void fill() {
    const uint32_t to = chance(3) ? uint32_t{kDepth} : image_or_buffer(), first = below(kWords);
    use({}, {to});
    const uint32_t word = to == kDepth ? std::bit_cast<uint32_t>(random_.between(0, 1)) : random_.next();
    b_.commands.packet(Opcode::kFillBuffer,
                       arch::FillBufferPacket{things_[to].address + 4 * uint64_t{first},
                                              4 * uint64_t{1 + below(kWords - first)}, word});
  }

  void clear() {
    const bool depth = draws() && chance(3);
    const uint32_t to = depth ? uint32_t{kDepth} : image();
    use({}, {to});
    const uint32_t word = depth ? std::bit_cast<uint32_t>(random_.between(0, 1)) : random_.next();
    b_.commands.packet(Opcode::kClear,
                       arch::ClearPacket{things_[to].surface, 0, 0, kSize, kSize, 0, {word, 0, 0, 0}});
  }

  void signal() {
    const uint32_t to = kFirstValue + below(kValues);
    use({}, {to});
    things_[to].value = random_.next();
    b_.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{things_[to].address, things_[to].value});
  }

  void wait() {
    const uint32_t on = kFirstValue + below(kValues);
    use({on}, {});
    b_.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{things_[on].address, things_[on].value});
  }

  void query() {
    constexpr std::array kKinds = {arch::QueryKind::kTimestamp, arch::QueryKind::kSamplesPassed};
    const uint32_t to = kFirstSlot + below(kSlots);
    use({}, {to});
    b_.send_state();
    b_.commands.packet(Opcode::kWriteQuery, arch::QueryPacket{static_cast<uint32_t>(kKinds[below(2)]),
                                                              things_[to].address, 1 + below(2)});
  }

  // The workgroups of indirect dispatches.
  void arguments() {
    const uint32_t to = kFirstArguments + below(kArguments);
    use({}, {to});
    b_.commands.packet(
        Opcode::kWriteValue,
        arch::WriteValuePacket{things_[to].address, below(kWords / kGroup + 1) | uint64_t{1} << 32});
    b_.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{things_[to].address + 8, uint64_t{1}});
  }

  scenes::Random random_;
  scenes::Builder b_;
  std::vector<Thing> things_;
  uint64_t id_ = 0, seen_ = 0, needed_ = 0;  // submissions; needed_: of the other queue
  std::array<uint64_t, arch::kQueues> followed_{};
  QueueKind queue_ = QueueKind::kGraphics;
};

uint32_t number_from(const char* variable, uint32_t otherwise) {
  const char* asked = std::getenv(variable);
  return asked ? static_cast<uint32_t>(std::strtoul(asked, nullptr, 10)) : otherwise;
}

machine::Config preset(const char* name) {
  machine::Config config;
  load_config(config, name);
  return config;
}

// Plays a scene on a machine with and without a second command stream, unless rules or the scene's work
// refuse it. Figures depend neither on the order of boxes nor on what is skipped.
void expect_alike(const scenes::Scene& scene, machine::Config config, uint32_t seed,
                  const std::string& told) {
  set(config, "command_processor.compute_queue", "true");
  try {
    machine::check_rules(config);
  } catch (const UserError&) { return; }
  if (!runs(scene, config.abilities())) return;
  SCOPED_TRACE(fmt::format("scene {} on {}", seed, told));
  machine::MachineOptions options;
  options.on_progress = [](engine::Cycle now) {
    if (now > 1 << 25) throw std::runtime_error("the machine hangs");
  };
  try {
    const Outcome beside = on_machine(scene, config, options);
    EXPECT_EQ(beside.memory, on_emulator(scene));
    options.scheduler = {.seed = seed, .skip_idle = seed % 2 == 0};
    EXPECT_EQ(on_machine(scene, config, options).statistics, beside.statistics);
    set(config, "command_processor.compute_queue", "false");
    const Outcome alone = on_machine(scene, config);
    ASSERT_EQ(beside.pictures.size(), alone.pictures.size());
    for (size_t i = 0; i < beside.pictures.size(); i++) {
      const bool last = i + 1 == beside.pictures.size();  // it is never left out
      if (!last && (!beside.pictures[i].width || !alone.pictures[i].width)) continue;
      const arch::PictureRows both{std::max(beside.own_rows[i].first, alone.own_rows[i].first),
                                   std::min(beside.own_rows[i].end, alone.own_rows[i].end)};
      EXPECT_TRUE(arch::equal_in(beside.pictures[i], alone.pictures[i], both)) << "picture " << i;
    }
  } catch (const std::exception& error) { ADD_FAILURE() << error.what(); }
}

// CUTAWAY_RANDOM_SCENES: how many to try; CUTAWAY_RANDOM_FIRST: from which on.
TEST(RandomQueues, LeaveTheEmulatorsMemory) {
  const uint32_t first = number_from("CUTAWAY_RANDOM_FIRST", 1);
  const uint32_t scenes = number_from("CUTAWAY_RANDOM_SCENES", 5);
  for (uint32_t seed = first; seed < first + scenes; seed++) {
    const scenes::Scene scene = RandomScene(seed).make(16);
    machine::Config d3d11 = preset("d3d11");
    expect_alike(scene, preset("g80"), seed, "g80");
    d3d11.command_processor.submissions = 1 + seed % 8;
    expect_alike(scene, d3d11, seed, "d3d11");
    d3d11.command_processor.submissions = 8;
    set(d3d11, "command_processor.watched_memory", seed % 2 ? "128" : "8");
    expect_alike(scene, d3d11, seed, "d3d11 that watches memory");
    expect_alike(scene, random_machine::draw(seed).config, seed, "a random machine");
    const char* near = seed % 2 ? "d3d11" : "g80";
    expect_alike(scene, random_machine::draw_around(near, seed).config, seed,
                 fmt::format("a chip like {}", near));
  }
}

}  // namespace
}  // namespace cutaway::random_queues_test
