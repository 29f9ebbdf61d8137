#include "scenes/rate_programs.h"

#include <fmt/format.h>

namespace cutaway::scenes {
namespace {

// Repeats the text `count` times, with {0} a register of four and {1} one of four others.
std::string times(int count, std::string_view text) {
  std::string all;
  for (int i = 0; i < count; i++) all += fmt::format(fmt::runtime(text), i % 4, 4 + i % 4);
  return all;
}

std::string colored(std::string text) { return text + "MOV o0, c0\n"; }

// Repeats the text behind three moves, which write the registers that it reads.
std::string reading(std::string moves, std::string_view text) { return moves + colored(times(32, text)); }
constexpr const char* kWhole = "MOV r8, c0\nMOV r9, c0\nMOV r10, c0\n";
constexpr const char* kHalves = "MOV h16, c0\nMOV h18, c0\nMOV h20, c0\n";

}  // namespace

std::vector<RateProgram> rate_programs() {
  return {
      {"muls", colored(times(32, "MUL r{0}, c0, c0\nMUL r{1}, c0, c0\n"))},
      {"mads", colored(times(32, "MAD r{0}, c0, c0, c0\nMAD r{1}, c0, c0, c0\n"))},
      {"mul-mad", colored(times(32, "MUL r{0}, c0, c0\nMAD r{1}, c0, c0, c0\n"))},
      {"mul-mad-chain", colored(times(32, "MUL r0, r1, c0\nMAD r1, r0, c0, c0\n"))},
      {"mad-mul-chain", colored(times(32, "MAD r1, r0, c0, c0\nMUL r0, r1, c0\n"))},
      {"three-and-one", colored(times(32,
                                      "MUL r{0}.xyz, c0, c0\nMUL r{0}.w, c0, c0\nMAD r{1}.xyz, c0, c0, c0\n"
                                      "MAD r{1}.w, c0, c0, c0\n"))},
      {"two-and-two", colored(times(32,
                                    "MUL r{0}.xy, c0, c0\nMUL r{0}.zw, c0, c0\nMAD r{1}.xy, c0, c0, c0\n"
                                    "MAD r{1}.zw, c0, c0, c0\n"))},
      {"reciprocal", colored(times(32, "MUL r{0}, c0, c0\nMAD r{1}, c0, c0, c0\nRCP r8.x, c0.x\n"))},
      {"normalize", colored(times(32, "MUL r{0}, c0, c0\nMAD r{1}, c0, c0, c0\nNRM h16.xyz, c0\n"))},
      {"normalize-whole", colored(times(32, "NRM r{0}.xyz, c0\n"))},
      {"fog", colored(times(32, "MUL r{0}, c0, c0\nMAD r{1}, c0, c0, c0\nFOG r8.xyz, r{1}, c0.x, c0\n"))},
      {"special", colored(times(32, "MUL r{0}, c0, c0\nMAD r{1}.xyz, c0, c0, c0\nEX2 r{1}.w, c0.x\n"))},
      {"mad-tex",
       times(15, "MAD r{1}, c0, c0, c0\nTEX r{0}, i0, t0, s0, 2D\n") +
           "MAD r4, c0, c0, c0\nTEX o0, i0, t0, s0, 2D\n",
       true},
      {"mul-mad-tex",
       times(15, "MUL r{1}, c0, c0\nMAD r8, c0, c0, c0\nTEX r{0}, i0, t0, s0, 2D\n") +
           "MUL r4, c0, c0\nMAD r8, c0, c0, c0\nTEX o0, i0, t0, s0, 2D\n",
       true},
      {"mads-of-2", reading(kWhole, "MAD r{0}, r8, r9, r8\nMAD r{1}, r8, r9, c0\n")},
      {"mads-of-3", reading(kWhole, "MAD r{0}, r8, r9, r10\nMAD r{1}, r8, r9, r10\n")},
      {"mul-mad-of-3", reading(kWhole, "MUL r{0}, r8, r9\nMAD r{1}, r10, r8, c0\n")},
      {"mul-mad-of-3-halves", reading(kHalves, "MUL r{0}, h16, h18\nMAD r{1}, h20, h16, c0\n")},
      {"if", colored(times(16, "IF c0.x\nMAD r{0}, c0, c0, c0\nENDIF\n"))},
      {"if-else", colored(times(16, "IF c0.x\nMAD r{0}, c0, c0, c0\nELSE\nMAD r{1}, c0, c0, c0\nENDIF\n"))},
      {"loop", colored(times(16, "LOOP\nMAD r{0}, c0, c0, c0\nBRK c0.x\nNEXT\nENDLOOP\n"))},
      {"call", colored(times(16, "CALL mad\n")), false, "mad: MAD r0, c0, c0, c0\nRET\n"},
  };
}

std::string vertex_branches() { return times(16, "IF i0.w\nMUL r{0}, i0, i0\nENDIF\n"); }

}  // namespace cutaway::scenes
