#pragma once

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/gpu.h"
#include "arch/packet.h"
#include "arch/registers.h"

// Hand-written command streams: the commands that a driver would send, without a driver.
namespace cutaway::scenes {

// An event at the boundary to the GPU, to be played into any arch::CommandSink.
struct Event {
  enum class Kind { kMap, kPlace, kWrite, kSubmit, kHost, kBind } kind = Kind::kMap;
  arch::Address address = 0;
  uint64_t bytes = 0;                        // map, place in system memory, bind
  std::vector<std::byte> data;               // write
  arch::Submission submission{};             // submit
  arch::HostStep step{};                     // host
  std::optional<arch::Address> target = {};  // bind
};

struct Scene {
  std::string name;
  std::vector<Event> events;
  arch::Surface color;        // the last frame's target
  arch::Surface depth;        // UNDEFINED: none
  arch::Address results = 0;  // address of the results, if the scene writes any
  uint32_t frames = 0;
};

void play(const Scene& scene, arch::CommandSink& sink);

// The four stored components of a texel, in bytes or words by its format; reads through the layout.
std::vector<std::byte> texel(const arch::Memory& memory, const arch::Surface& surface, uint32_t x, uint32_t y,
                             uint32_t level = 0);
uint32_t texel32(const arch::Memory& memory, const arch::Surface& surface, uint32_t x, uint32_t y,
                 uint32_t level = 0);

class Builder {
 public:
  explicit Builder(std::string name, uint32_t width = 64, uint32_t height = 64);

  // ---- Memory ----
  arch::Address allocate(uint64_t bytes, uint64_t alignment = 256);
  arch::Address upload(std::span<const std::byte> bytes, uint64_t alignment = 256);
  // Puts later allocations in this memory.
  void allocate_in(arch::Placement placement);
  template <class T>
  arch::Address upload(const std::vector<T>& values, uint64_t alignment = 256) {
    return upload(std::as_bytes(std::span(values)), alignment);
  }
  void overwrite(arch::Address address, const std::vector<float>& values);
  arch::Surface surface(arch::Format format, uint32_t width, uint32_t height, uint32_t levels = 1,
                        arch::Tiling tiling = arch::Tiling::kTiled, uint32_t layers = 1,
                        uint32_t samples = 1);
  // The same in pages, in a sparse range to which nothing is bound.
  arch::Surface sparse_surface(arch::Format format, uint32_t width, uint32_t height, uint32_t levels = 1);
  void bind(arch::Address address, uint64_t bytes, std::optional<arch::Address> target);
  // A level's texels in rows, 4 bytes each, into the surface's layout.
  void fill_level(const arch::Surface& surface, uint32_t level, std::span<const uint32_t> texels,
                  uint32_t layer = 0);

  // ---- State; goes out with the next draw ----
  arch::Registers registers;  // all that a plain opaque draw needs is set
  arch::CommandWriter commands;
  void program(arch::Stage stage, std::string_view text, uint32_t flags = 0, uint32_t scratch_bytes = 0);
  void constants(arch::Stage stage, uint32_t first, const std::vector<float>& values);
  void textures(std::span<const arch::Surface> surfaces, std::span<const arch::Sampler> samplers,
                arch::Stage stage = arch::Stage::kFragment);
  // Interleaved floats: attribute i has components[i] of them.
  void vertices(const std::vector<float>& values, std::span<const uint32_t> components);
  void vertices(const std::vector<float>& values, std::initializer_list<uint32_t> components) {
    vertices(values, std::span(components.begin(), components.size()));
  }
  void interpolants(std::initializer_list<uint32_t> outputs,
                    arch::Interpolation mode = arch::Interpolation::kPerspective);
  void target(const arch::Surface& color);
  void depth(const arch::Surface& depth);

  // ---- Work ----
  void send_state();
  void draw(uint32_t vertices, uint32_t instances = 1, uint32_t first_vertex = 0,
            uint32_t first_instance = 0);
  void draw_indexed(uint32_t indices, uint32_t instances = 1, uint32_t first_index = 0,
                    int32_t vertex_offset = 0);
  // A draw that fills the target, and the depth target with the far value, as a driver clears. Set all state
  // anew after it.
  void clear(float r, float g, float b, float a, float z = 1);
  void flush();         // color and depth caches to memory, other caches empty
  bool stores = false;  // programs store to buffers and images, so flush() includes their cache
  uint32_t ahead = 0;   // arch::Submission::ahead of submissions, as far as there are as many before them
  arch::QueueKind queue = arch::QueueKind::kGraphics;  // and `after`, of submissions
  uint64_t after = 0;
  void submit(bool presents);
  // The host computes, and waits for the submission that is so many before the next one; 0: it does not wait.
  void host(uint64_t nanoseconds, uint64_t before = 0);
  void submit_called();  // as the driver does: a CALL of the commands between INVALIDATE, FLUSH and WAIT_IDLE
  void end_frame();      // flush, PRESENT of the color target, submission

  const arch::Surface& color_target() const { return color_; }
  Scene take();

 private:
  Scene scene_;
  arch::Registers sent_{};
  arch::Surface color_{}, depth_{};
  arch::Address next_;
  arch::Placement placement_ = arch::Placement::kVideo;  // of what is allocated
  uint64_t submissions_ = 0;
};

arch::Sampler sampler(arch::Filter filter, arch::MipMode mip = arch::MipMode::kBase,
                      arch::Wrap wrap = arch::Wrap::kRepeat);

}  // namespace cutaway::scenes
