// Draws a case of the experiments or of the rates of src/probe without a window, with the Vulkan driver that
// there is. Into one file it writes the picture; into another the device's name, "cpu" or "gpu" and, where it
// has timestamps, the nanoseconds that the draw took, a line each; into a third, where fragments may store,
// as which of all the fragments of each pixel ended: 32 bits each, from 1, 0 where there is none.
//
//   cutaway-probe CASE [--picture FILE.ppm] [--times FILE] [--order FILE]
//
// Of a rate there is no order.

#include <array>
#include <cstring>
#include <optional>

#include "drawing.h"
#include "probe/cases.h"
#include "probe_frag.h"
#include "probe_frag_dependent.h"
#include "probe_frag_dependent_order.h"
#include "probe_frag_lines.h"
#include "probe_frag_lines_order.h"
#include "probe_frag_order.h"
#include "probe_vert.h"
#include "rate.h"
#include "resources.h"
#include "stopwatch.h"

namespace {

using cutaway::probe::Case;
using cutaway::probe::kWindow;
using cutaway::probe::Shape;
using cutaway::probe::Topology;
using cutaway::probe::Where;
using headless::Buffer;
using headless::Context;

// As the shaders declare them.
struct Push {
  float window = kWindow;
  uint32_t background, turns, pixels, mask;
  uint32_t padding[3];
  std::array<uint32_t, 4> slow_at;
};

// What is simulated has to be short; what is measured has to be longer than all that disturbs it.
constexpr uint32_t kMeasuredTurns = 100;

// times: more turns for a slow pixel.
Push push_of(const cutaway::probe::Slowness& slow, uint32_t times) {
  Push push{};
  push.window = kWindow;
  push.background = slow.background;
  push.turns = slow.turns * times;
  push.pixels = static_cast<uint32_t>(slow.at.size());
  constexpr uint32_t kInSubTile = 0x00030007, kInHalf = 0x00030003;
  push.mask = slow.where == Where::kSubTile       ? ~kInSubTile
              : slow.where == Where::kEachSubTile ? kInSubTile
              : slow.where == Where::kEachHalf    ? kInHalf
                                                  : ~0u;
  if (slow.where == Where::kLines) {
    const cutaway::probe::Lines& lines = slow.lines;
    push.slow_at = {slow.at[0].first | slow.at[0].second << 16, lines.pixels, lines.across | lines.down << 16,
                    lines.aside};
    return push;
  }
  for (size_t i = 0; i < slow.at.size(); i++)
    push.slow_at[i] = (slow.at[i].first | slow.at[i].second << 16) & push.mask;
  return push;
}

VkPrimitiveTopology topology_of(Topology topology) {
  switch (topology) {
    case Topology::kTriangles:
      return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case Topology::kStrips:
      return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    case Topology::kLines:
      return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case Topology::kPoints:
      return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  }
  std::abort();
}

template <class T>
Buffer upload(const Context& context, const std::vector<T>& data, VkBufferUsageFlags usage) {
  return context.make_buffer(data.data(), data.size() * sizeof(T), usage);
}

// A buffer that fragments store into, as their program declares it; bound as a set of its own.
class OrderBuffer {
 public:
  static constexpr size_t kBytes = (1 + size_t{kWindow} * kWindow) * sizeof(uint32_t);

  explicit OrderBuffer(const Context& context) : context_(context) { std::memset(buffer_.mapped, 0, kBytes); }
  ~OrderBuffer() { context_.destroy(buffer_); }
  OrderBuffer(const OrderBuffer&) = delete;
  OrderBuffer& operator=(const OrderBuffer&) = delete;

  VkPipelineLayout layout() const { return resources_.layout(); }
  void bind(VkCommandBuffer commands) const {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout(), 0, 1, &set_, 0, nullptr);
  }
  static void to_host(VkCommandBuffer commands) {
    const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                  VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
  }
  const uint32_t* ranks() const { return static_cast<const uint32_t*>(buffer_.mapped) + 1; }

 private:
  const Context& context_;
  const Buffer buffer_ = context_.make_buffer(kBytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const headless::Resources resources_{
      context_, {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, VK_SHADER_STAGE_ALL_GRAPHICS, sizeof(Push), 1};
  const VkDescriptorSet set_ = resources_.make_set({buffer_});
};

VkShaderModule fragment_program(const Context& context, const cutaway::probe::Slowness& slowness,
                                bool order) {
  const bool waits = slowness.waits;
  if (slowness.where == Where::kLines)
    return order ? context.make_shader(probe_frag_lines_order, sizeof probe_frag_lines_order)
                 : context.make_shader(probe_frag_lines, sizeof probe_frag_lines);
  if (waits && order)
    return context.make_shader(probe_frag_dependent_order, sizeof probe_frag_dependent_order);
  if (waits) return context.make_shader(probe_frag_dependent, sizeof probe_frag_dependent);
  if (order) return context.make_shader(probe_frag_order, sizeof probe_frag_order);
  return context.make_shader(probe_frag, sizeof probe_frag);
}

bool fragments_may_store() {
  const Context context;
  VkPhysicalDeviceFeatures features;
  vkGetPhysicalDeviceFeatures(context.physical_device(), &features);
  return features.fragmentStoresAndAtomics;
}

// The pixels that a part is drawn on.
enum class Pixels { kAll, kMask, kMasked, kUnmasked };  // kMask: all, and they are the masked ones

VkPipelineDepthStencilStateCreateInfo depth_tests(Pixels pixels) {
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = pixels != Pixels::kAll;
  depth.depthWriteEnable = pixels == Pixels::kMask;
  depth.depthCompareOp = pixels == Pixels::kMasked     ? VK_COMPARE_OP_EQUAL
                         : pixels == Pixels::kUnmasked ? VK_COMPARE_OP_NOT_EQUAL
                                                       : VK_COMPARE_OP_ALWAYS;
  return depth;
}

headless::PipelineShape pipeline_shape(const Shape& shape, Pixels pixels, VkShaderModule vertex,
                                       VkShaderModule fragment) {
  headless::PipelineShape made;
  made.stages = {{VK_SHADER_STAGE_VERTEX_BIT, vertex}, {VK_SHADER_STAGE_FRAGMENT_BIT, fragment}};
  made.topology = topology_of(shape.topology);
  made.restart = !shape.indices.empty();
  made.attributes = {VK_FORMAT_R32G32_SFLOAT};
  made.attribute_offsets = {0};
  made.stride = sizeof(cutaway::probe::Point);
  made.viewport = {0, 0, kWindow, kWindow, 0, 1};
  made.depth = depth_tests(pixels);
  made.push_bytes = sizeof(Push);
  return made;
}

// A shape on the device, and what draws it.
class Part {
 public:
  struct Programs {
    VkShaderModule vertex, fragment;
    VkPipelineLayout layout;  // null: the drawing's
  };
  Part(const Context& context, headless::Drawing& drawing, Shape shape, uint32_t per_draw, const Push& push,
       const Programs& programs, Pixels pixels)
      : context_(context),
        shape_(std::move(shape)),
        per_draw_(per_draw),
        push_(push),
        vertices_(upload(context, shape_.vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT)) {
    if (!shape_.indices.empty()) indices_ = upload(context, shape_.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    headless::PipelineShape made = pipeline_shape(shape_, pixels, programs.vertex, programs.fragment);
    made.layout = programs.layout;
    pipeline_ = drawing.make_pipeline(made);
  }
  ~Part() {
    context_.destroy(vertices_);
    if (indices_) context_.destroy(*indices_);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  void record(VkCommandBuffer into) const {
    const VkDeviceSize zero = 0;
    vkCmdBindPipeline(into, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.pipeline);
    vkCmdPushConstants(into, pipeline_.layout, VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof push_, &push_);
    vkCmdBindVertexBuffers(into, 0, 1, &vertices_.buffer, &zero);
    if (!indices_) {
      const auto vertices = static_cast<uint32_t>(shape_.vertices.size());
      const uint32_t each = per_draw_ ? per_draw_ : vertices;
      for (uint32_t first = 0; first < vertices; first += each) vkCmdDraw(into, each, 1, first, 0);
      return;
    }
    vkCmdBindIndexBuffer(into, indices_->buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(into, static_cast<uint32_t>(shape_.indices.size()), 1, 0, 0, 0);
  }

 private:
  const Context& context_;
  const Shape shape_;
  const uint32_t per_draw_;
  const Push push_;
  const Buffer vertices_;
  std::optional<Buffer> indices_;
  headless::Drawing::Pipeline pipeline_;
};

class Probe {
 public:
  // measured: not captured to be simulated. order: the fragments note in which order they end; the device can
  // do it.
  Probe(const Case& of, bool measured, bool order)
      : context_({}, {.fragmentStoresAndAtomics = order}),
        vertex_(context_.make_shader(probe_vert, sizeof probe_vert)),
        fragment_(fragment_program(context_, of.slowness, order)) {
    if (order) order_.emplace(context_);
    const uint32_t times = measured ? kMeasuredTurns : 1;
    const Part::Programs programs{vertex_, fragment_, order_ ? order_->layout() : VK_NULL_HANDLE};
    if (of.mask)
      mask_.emplace(context_, drawing_, of.mask(of.size), 0, push_of({}, 1), programs, Pixels::kMask);
    if (of.base)
      base_.emplace(context_, drawing_, of.base(of.size), 0, push_of(of.base_slowness, times), programs,
                    of.mask ? Pixels::kUnmasked : Pixels::kAll);
    shape_.emplace(context_, drawing_, of.shape(of.size), of.per_draw, push_of(of.slowness, times), programs,
                   of.mask ? Pixels::kMasked : Pixels::kAll);
  }
  ~Probe() {
    for (const VkShaderModule module : {vertex_, fragment_})
      vkDestroyShaderModule(context_.device(), module, nullptr);
  }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  // picture: the file that it goes to, or null.
  void draw(const char* picture) const {
    const VkCommandBuffer commands = context_.begin();
    watch_.start(commands);
    drawing_.record(commands, [&](VkCommandBuffer into) { record(into); });
    watch_.stop(commands);
    if (order_) OrderBuffer::to_host(commands);
    if (picture) drawing_.submit_and_write(commands, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, picture);
    else context_.submit_and_wait(commands);
  }

  void write_times(const char* path) const {
    watch_.write(path, [&] { draw(nullptr); });
  }

  // Nothing where fragments cannot store.
  void write_order(const char* path) const {
    std::FILE* file = open(path);
    if (order_) {
      draw(nullptr);
      std::fwrite(order_->ranks(), sizeof(uint32_t), size_t{kWindow} * kWindow, file);
    }
    std::fclose(file);
  }

 private:
  void record(VkCommandBuffer into) const {
    if (order_) order_->bind(into);
    if (mask_) mask_->record(into);
    if (base_) base_->record(into);
    shape_->record(into);
  }

  static std::FILE* open(const char* path) {
    std::FILE* file = std::fopen(path, "wb");
    if (!file) {
      std::perror(path);
      std::exit(1);
    }
    return file;
  }

  const Context context_;
  const headless::Stopwatch watch_{context_};
  headless::Drawing drawing_{context_, kWindow, kWindow, 1};
  const VkShaderModule vertex_, fragment_;
  std::optional<OrderBuffer> order_;
  std::optional<Part> mask_, base_, shape_;
};

}  // namespace

int main(int count, char** arguments) {
  const Case* of = nullptr;
  const char *picture = nullptr, *times = nullptr, *order = nullptr;
  bool legal = count >= 2 && count % 2 == 0;
  for (int i = 2; legal && i < count; i += 2) {
    if (std::string("--picture") == arguments[i]) picture = arguments[i + 1];
    else if (std::string("--times") == arguments[i]) times = arguments[i + 1];
    else if (std::string("--order") == arguments[i]) order = arguments[i + 1];
    else legal = false;
  }
  headless::print_device = false;
  if (const auto* rate = legal && !order ? cutaway::probe::find_rate(arguments[1]) : nullptr) {
    draw_rate(*rate, picture, times);
    return 0;
  }
  if (legal) of = cutaway::probe::find_case(arguments[1]);
  if (!of) {
    std::fprintf(
        stderr,
        "usage: %s CASE [--picture FILE.ppm] [--times FILE] [--order FILE]; `cutaway probe list` names "
        "the cases\n",
        arguments[0]);
    return 2;
  }
  if (order) Probe(*of, true, fragments_may_store()).write_order(order);
  if (order && !times && !picture) return 0;
  const Probe probe(*of, times, false);
  if (times) probe.write_times(times);
  if (picture || !times) probe.draw(picture);
  return 0;
}
