#pragma once

#include <bit>
#include <string_view>
#include <vector>

#include "scenes/builder.h"

// Building blocks of several scenes.
namespace cutaway::scenes {

constexpr std::string_view kPassColor = "MOV o0, i0\nMOV o1, i1\nEND\n";
constexpr std::string_view kColor = "MOV o0, i0\nEND\n";

// A small generator with the same numbers on every host.
class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed) {}
  uint32_t next() { return (state_ = state_ * 1664525u + 1013904223u) >> 8; }
  float between(float low, float high) {
    return low + (high - low) * static_cast<float>(next()) / static_cast<float>(1 << 24);
  }

 private:
  uint32_t state_;
};

// Without libm: the same bits on every host.
float sine(double x);
float cosine(double x);

// A constant register with the bits of an integer.
inline float bits(uint32_t value) { return std::bit_cast<float>(value); }

// Bytes from an address, which programs load and store.
arch::Surface raw_buffer(arch::Address address, uint32_t bytes);

// Squares of two colors.
std::vector<uint32_t> checkers(uint32_t size, uint32_t square, uint32_t a, uint32_t b);

// Small triangles at random places: positions and colors, of 4 floats each.
std::vector<float> scattered_triangles(uint32_t triangles);

// Ends the frame: the scene, whose programs store results at an address (0: nowhere).
Scene ended_scene(Builder& b, arch::Address results = 0);
// Writes a count to memory, after the draws before it.
void write_query(Builder& b, arch::QueryKind kind, arch::Address address);

void depth_test(Builder& b, arch::Compare compare = arch::Compare::kLess, bool write = true);
void color_programs(Builder& b, arch::Interpolation mode = arch::Interpolation::kPerspective);
void textured_programs(Builder& b);  // texture 0, sampler 0

// A geometry program that reads v0 and v1 of each vertex, o0 and o1 of the vertex program. Its constants
// begin with the integers 0 to 3, then -1, 1, 0, 0.5.
void geometry_program(Builder& b, std::string_view text, arch::Topology output, uint32_t max_vertices,
                      uint32_t invocations = 1);
// A program that emits the triangle of the vertices that its first constants name.
constexpr std::string_view kPassTriangle = R"(
    LDV o0, c0.x, v0
    LDV o1, c0.x, v1
    EMIT 0
    LDV o0, c0.y, v0
    LDV o1, c0.y, v1
    EMIT 0
    LDV o0, c0.z, v0
    LDV o1, c0.z, v1
    EMIT 0
    END)";

// Flushes, and draws the mean of all samples of `from`, in ascending order, into `to`, which becomes the
// target, with one sample and without depth.
void resolve_samples(Builder& b, const arch::Surface& from, const arch::Surface& to);

}  // namespace cutaway::scenes
