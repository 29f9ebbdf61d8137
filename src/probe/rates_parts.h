#pragma once

#include <string>
#include <vector>

#include "probe/rates.h"

// The rates by subject: each adds its own.
namespace cutaway::probe {

constexpr double kPixels = double{kWindow} * kWindow;
constexpr uint32_t kTexturedLayers = 4, kMads = 64;

// The time of a frame without a rate's work.
inline Rate idle(const std::string& name, const std::string& what, RateDraw draw) {
  return {.name = name, .what = what, .unit = "", .draw = std::move(draw), .beside = ""};
}

// A rate given as a multiple of another's time.
inline Rate times(const std::string& against, const std::string& name, const std::string& what, RateDraw draw,
                  const std::string& beside = "R0") {
  return {
      .name = name, .what = what, .unit = "", .draw = std::move(draw), .beside = beside, .against = against};
}

void add_fill(std::vector<Rate>& to);          // R0, R1
void add_textures(std::vector<Rate>& to);      // R2
void add_triangles(std::vector<Rate>& to);     // R3
void add_arithmetic(std::vector<Rate>& to);    // R4
void add_branches(std::vector<Rate>& to);      // R5
void add_hidden_costs(std::vector<Rate>& to);  // R6, R7
void add_reads(std::vector<Rate>& to);         // R8

}  // namespace cutaway::probe
