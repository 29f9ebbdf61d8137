// Two steps of an incompressible fluid on 64 x 64 elements by fragment programs: it moves along itself, and a
// pressure that 20 iterations find takes away what flows into or out of an element (GPU Gems, chapter 38).
//
//   fluid OUTPUT.ppm

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "fluid_advect.frag.h"
#include "fluid_divergence.frag.h"
#include "fluid_pressure.frag.h"
#include "fluid_project.frag.h"
#include "stream_passes.h"

namespace {

constexpr uint32_t kSide = 64, kSteps = 2, kIterations = 20, kRuns = kSteps * (kIterations + 3);
constexpr float kTimeStep = 1.5f;

using Grid = std::vector<float>;  // of one or four components

size_t at(int x, int y) {
  return static_cast<size_t>(y & (kSide - 1)) * kSide + static_cast<size_t>(x & (kSide - 1));
}

// A jet to the right between two that flow to the left, with dye in stripes.
Grid make_state() {
  Grid state(size_t{4} * kSide * kSide);
  for (int y = 0; y < int{kSide}; y++)
    for (int x = 0; x < int{kSide}; x++) {
      const float u = 6.2831853f * static_cast<float>(x) / kSide,
                  v = 6.2831853f * static_cast<float>(y) / kSide;
      float* element = &state[4 * at(x, y)];
      element[0] = 2 * std::sin(v) + 0.5f * std::cos(u), element[1] = std::sin(2 * u);
      element[2] = (x / 8 + y / 8) % 2 ? 1.0f : 0.0f;
    }
  return state;
}

float divergence(const Grid& s, int x, int y) {
  return 0.5f *
         (s[4 * at(x + 1, y)] - s[4 * at(x - 1, y)] + s[4 * at(x, y + 1) + 1] - s[4 * at(x, y - 1) + 1]);
}

template <class Body>
void each_element(Body&& body) {
  for (int y = 0; y < int{kSide}; y++)
    for (int x = 0; x < int{kSide}; x++) body(x, y);
}

Grid advected(const Grid& s) {
  Grid moved(s.size());
  each_element([&](int x, int y) {
    const float* own = &s[4 * at(x, y)];
    const float fx = static_cast<float>(x) - kTimeStep * own[0],
                fy = static_cast<float>(y) - kTimeStep * own[1];
    const int cx = static_cast<int>(std::floor(fx)), cy = static_cast<int>(std::floor(fy));
    const float sx = fx - static_cast<float>(cx), sy = fy - static_cast<float>(cy);
    for (size_t c = 0; c < 4; c++) {
      const float top = s[4 * at(cx, cy) + c] * (1 - sx) + s[4 * at(cx + 1, cy) + c] * sx;
      const float bottom = s[4 * at(cx, cy + 1) + c] * (1 - sx) + s[4 * at(cx + 1, cy + 1) + c] * sx;
      moved[4 * at(x, y) + c] = top * (1 - sy) + bottom * sy;
    }
  });
  return moved;
}

// A step on the CPU. The pressure goes on from the step before.
void step(Grid& state, Grid& pressure) {
  state = advected(state);
  for (uint32_t i = 0; i < kIterations; i++) {
    Grid next(pressure.size());
    each_element([&](int x, int y) {
      next[at(x, y)] = 0.25f * (pressure[at(x + 1, y)] + pressure[at(x - 1, y)] + pressure[at(x, y + 1)] +
                                pressure[at(x, y - 1)] - divergence(state, x, y));
    });
    pressure = next;
  }
  each_element([&](int x, int y) {
    state[4 * at(x, y)] -= 0.5f * (pressure[at(x + 1, y)] - pressure[at(x - 1, y)]);
    state[4 * at(x, y) + 1] -= 0.5f * (pressure[at(x, y + 1)] - pressure[at(x, y - 1)]);
  });
}

Grid on_cpu(Grid state) {
  Grid pressure(size_t{kSide} * kSide);
  for (uint32_t i = 0; i < kSteps; i++) step(state, pressure);
  return state;
}

Grid on_gpu(const headless::Context& context, const Grid& initial) {
  struct Run {
    float texel[2], time_step;
  } const constants{{1.0f / kSide, 1.0f / kSide}, kTimeStep};
  headless::StreamPasses passes(context, sizeof constants, kRuns);
  const VkPipeline advect = passes.make_kernel(fluid_advect_frag, sizeof fluid_advect_frag, 4);
  const VkPipeline diverge = passes.make_kernel(fluid_divergence_frag, sizeof fluid_divergence_frag, 1);
  const VkPipeline relax = passes.make_kernel(fluid_pressure_frag, sizeof fluid_pressure_frag, 1);
  const VkPipeline project = passes.make_kernel(fluid_project_frag, sizeof fluid_project_frag, 4);
  const auto stream = [&](uint32_t components) { return passes.make_stream(kSide, kSide, components); };
  const headless::Stream state = stream(4), moved = stream(4), flow = stream(1);
  headless::Stream pressure = stream(1), next = stream(1);

  const VkCommandBuffer commands = context.begin();
  const headless::Buffer buffers[] = {passes.upload(commands, state, initial),
                                      passes.upload(commands, pressure, Grid(size_t{kSide} * kSide))};
  for (uint32_t i = 0; i < kSteps; i++) {
    passes.run(commands, advect, moved, {state}, &constants);
    passes.run(commands, diverge, flow, {moved}, &constants);
    for (uint32_t k = 0; k < kIterations; k++, std::swap(pressure, next))
      passes.run(commands, relax, next, {pressure, flow}, &constants);
    passes.run(commands, project, state, {moved, pressure}, &constants);
  }
  Grid result = passes.submit_and_read(commands, state);
  for (const headless::Buffer& buffer : buffers) context.destroy(buffer);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: fluid OUTPUT.ppm\n"), 2;
  const headless::Context context;
  const Grid initial = make_state(), expected = on_cpu(initial), result = on_gpu(context, initial);
  for (size_t i = 0; i < result.size(); i++)
    if (!(std::fabs(result[i] - expected[i]) < 1e-3f)) return std::fprintf(stderr, "fluid: wrong flow\n"), 1;
  headless::write_gray(argv[1], kSide, kSide, result.data() + 2, 4, 0, 1);
}
