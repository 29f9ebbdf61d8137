#pragma once

#include <string>
#include <vector>

#include "report/run_reader.h"

namespace cutaway::report {

// A parameter that a sentence of evidence points to, with other values to try. A value is empty if there is
// none.
struct Lever {
  std::string parameter;          // "texture.cache_lines"
  std::string helpful, opposite;  // expected to save time; to cost time, or to show what the chip could spare
};

// A sentence of evidence, and what it suggests to try.
struct Finding {
  std::string sentence;
  std::vector<Lever> levers = {};
};

// The value doubled and halved. more: the doubled value is the helpful one. Appends nothing if the machine
// has no such parameter, or if it is no positive number.
void add_lever(RunReader& run, const std::string& parameter, bool more, std::vector<Lever>& levers);

// What makes units of this kind faster: their number, and what they do in a cycle.
std::vector<Lever> rate_levers(RunReader& run, const std::string& kind);
// How much units of this kind hold at a time.
std::vector<Lever> room_levers(RunReader& run, const std::string& kind);
// The capacity of the kind's caches.
std::vector<Lever> cache_levers(RunReader& run, const std::string& kind);
// The traffic that memory can carry.
std::vector<Lever> memory_levers(RunReader& run);
// What lets shader units of a kind issue more instructions.
std::vector<Lever> issue_levers(RunReader& run, const std::string& kind);
// What shortens a wait of thread groups of shader units. wait: index of RunReader::Instruction::waited.
std::vector<Lever> wait_levers(RunReader& run, const std::string& kind, size_t wait);
// Lists parameters that shorten the wait of pictures for the vertical retrace.
std::vector<Lever> retrace_levers(RunReader& run);
// What gives shader units that lack vertices more of them.
// If addresses are translated.
std::vector<Lever> translation_levers(RunReader& run);
std::vector<Lever> starvation_levers(RunReader& run);
// How evenly work is dealt to units of this kind.
std::vector<Lever> balance_levers(RunReader& run, const std::string& kind);

}  // namespace cutaway::report
